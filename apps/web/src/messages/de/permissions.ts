import type { Messages } from '../messages.ts'
import { resources } from './resources.ts'
import { listed, number } from './words.ts'

const verbs: Readonly<Partial<Record<string, string>>> = {
  ANSWER: 'beantworten',
  ARCHIVE: 'archivieren',
  ASSIGN: 'zuweisen',
  CLAIM: 'übernehmen',
  CREATE: 'anlegen',
  DELETE: 'löschen',
  EVALUATE: 'bewerten',
  EXECUTE: 'ausführen',
  EXPORT: 'exportieren',
  IMPORT: 'importieren',
  INVITE: 'einladen',
  LABEL: 'mit Labels versehen',
  LINK: 'verknüpfen',
  MANAGE: 'verwalten',
  MOVE: 'verschieben',
  PROMOTE: 'in Specs umwandeln',
  QUERY: 'abfragen',
  READ: 'lesen',
  RECORD: 'eintragen',
  RESTORE: 'wiederherstellen',
  SHARE: 'teilen',
  SUBMIT: 'senden',
  UNLOCK: 'entsperren',
  UPDATE: 'ändern',
  VALIDATE: 'prüfen',
  WAIVE: 'von Gates ausnehmen',
}

/** Further parts of the names of permissions: statuses, and what of a record is meant. */
const parts: Readonly<Partial<Record<string, string>>> = {
  ACTIVE: 'Aktiv',
  APPROVED: 'Freigegeben',
  BUG: 'Bugs',
  CANCELLED: 'Abgebrochen',
  CLOSED: 'Geschlossen',
  DONE: 'Erledigt',
  DRAFT: 'Entwurf',
  EVALUATING: 'In Bewertung',
  HISTORY: 'Verlauf',
  IN_PROGRESS: 'In Arbeit',
  MOCKUPS: 'Mockups',
  NOT_STARTED: 'Nicht begonnen',
  ON_HOLD: 'Angehalten',
  REVIEW: 'Im Review',
  SMALL: 'kleine Änderungen',
  STARTED: 'Begonnen',
  TEST: 'Tests',
  VALIDATED: 'Geprüft',
  VALIDATION: 'Prüfung',
  VALIDATIONS: 'Prüfungen',
}

/** Permissions that would read badly if built from their names. */
const sayings: Readonly<Partial<Record<string, string>>> = {
  AGENTS_GRANT: 'Zugriff auf Boards geben',
  AGENTS_REGENERATE_KEY: 'neue Schlüssel anlegen',
  AGENTS_UPDATE_SELF: 'den eigenen Agenten ändern',
  CARDS_DELETE_VALIDATION: 'Prüfungen von Karten löschen',
  COMMENTS_CREATE_CHOICE: 'eine Auswahl in Kommentaren anbieten',
  COMMENTS_RESPOND: 'in Kommentaren eine Auswahl treffen',
  QA_CREATE: 'Fragen stellen',
  QA_CREATE_CHOICE: 'Fragen mit Auswahl stellen',
  SPECS_RECORD_RESULTS: 'Ergebnisse von Testszenarien eintragen',
  SPRINTS_ASSIGN: 'die Karten von Sprints auswählen',
}

const wordsOf = (name: string): string => parts[name] ?? name.replaceAll('_', ' ').toLowerCase()

/** A permission in plain words: "Karten verschieben (Erledigt)". */
function saying(name: string): string {
  const [resource = '', verb = '', ...part] = name.split('_')
  const what = resources[resource] ?? wordsOf(resource)
  if (verb === 'WRITE') return `${what} im Status „${wordsOf(part.slice(1).join('_'))}“ ändern`
  return `${what} ${verbs[verb] ?? wordsOf(verb)}${part.length === 0 ? '' : ` (${wordsOf(part.join('_'))})`}`
}

/** Up to this many holders are named. */
const mostNamed = 5

const named = (names: readonly string[]): string =>
  listed(
    names.length > mostNamed ? [...names.slice(0, mostNamed), `${number(names.length - mostNamed)} weitere`] : names,
  )

export const permissions: Messages['permissions'] = {
  lacks: name => `Nicht erlaubt: ${sayings[name] ?? saying(name)} (${name})`,
  heldBy: names => `Erlaubt für ${named(names)}`,
  heldByNobody: 'Auch sonst darf es niemand auf diesem Board',
  presets: names => `Rollen, die es erlauben: ${named(names)}`,
}
