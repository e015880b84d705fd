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
  EXPORT: 'exportieren',
  IMPORT: 'importieren',
  INVITE: 'einladen',
  LABEL: 'mit Labels versehen',
  LINK: 'verknüpfen',
  MANAGE: 'verwalten',
  MOVE: 'verschieben',
  QUERY: 'abfragen',
  READ: 'lesen',
  RECORD: 'eintragen',
  RESTORE: 'wiederherstellen',
  SHARE: 'teilen',
  SUBMIT: 'senden',
  UNLOCK: 'entsperren',
  UPDATE: 'ändern',
  VALIDATE: 'prüfen',
}

/** Further parts of the names of permissions: statuses, and parts of a record. */
const parts: Readonly<Partial<Record<string, string>>> = {
  ACTIVE: 'Aktiv',
  ACTIVITY: 'Aktivität',
  APPROVED: 'Freigegeben',
  BUG_FIELDS: 'Bug-Felder',
  CANCELLED: 'Abgebrochen',
  CLOSED: 'Geschlossen',
  CONCLUSIONS: 'Berichte',
  CONTRACTS: 'Verträge',
  DONE: 'Erledigt',
  DRAFT: 'Entwurf',
  EVALUATING: 'In Bewertung',
  EVALUATIONS: 'Bewertungen',
  HISTORY: 'Verlauf',
  IN_PROGRESS: 'In Arbeit',
  MOCKUPS: 'Mockups',
  NOT_STARTED: 'Nicht begonnen',
  ON_HOLD: 'Angehalten',
  REVIEW: 'Im Review',
  RULES: 'Geschäftsregeln',
  SCENARIOS: 'Testszenarien',
  STARTED: 'Begonnen',
  VALIDATED: 'Geprüft',
  VALIDATION: 'Prüfung',
  VALIDATIONS: 'Prüfungen',
}

/** Permissions that would read badly if built from their names. */
const sayings: Readonly<Partial<Record<string, string>>> = {
  AGENTS_CREATE_CI: 'Schlüssel für CI anlegen',
  AGENTS_GRANT: 'Zugriff auf Boards geben',
  AGENTS_REGENERATE_KEY: 'neue Schlüssel anlegen',
  AGENTS_UPDATE_SELF: 'den eigenen Agenten ändern',
  CARDS_CREATE_BUG: 'Bugs melden',
  CARDS_CREATE_SMALL: 'kleine Änderungen anlegen',
  CARDS_CREATE_TEST: 'Testkarten anlegen',
  CARDS_DELETE_VALIDATION: 'Prüfungen von Karten löschen',
  CARDS_LINK_DEPENDENCIES: 'festlegen, welche Karte auf welche wartet',
  CARDS_LINK_TESTS: 'Tests mit Bugs verknüpfen',
  CARDS_MOVE_DONE_SMALL: 'kleine Änderungen nach „Erledigt“ verschieben',
  CARDS_MOVE_DONE_TEST: 'Testkarten nach „Erledigt“ verschieben',
  CARDS_PROMOTE: 'Karten in Specs umwandeln',
  CARDS_WAIVE: 'auf Gates von Karten verzichten',
  COMMENTS_CREATE_CHOICE: 'eine Auswahl in Kommentaren anbieten',
  COMMENTS_RESPOND: 'in Kommentaren eine Auswahl treffen',
  DISCOVERY_EXECUTE: 'Suchen aus dem Katalog ausführen',
  DISCOVERY_READ: 'den Katalog der Suchen lesen',
  KG_ADMIN: 'Wissensgraph verwalten',
  KG_ADMIN_BACKFILL: 'Wissensgraph neu füllen',
  KG_ADMIN_DELETE: 'Wissensgraph leeren',
  KG_ADMIN_SETTINGS: 'Einstellungen des Wissensgraphen ändern',
  KG_AUDIT: 'sehen, was den Wissensgraphen geändert hat',
  QA_CREATE: 'Fragen stellen',
  QA_CREATE_CHOICE: 'Fragen mit Auswahl stellen',
  SPECS_LINK_CARDS: 'Karten mit Specs verknüpfen',
  SPECS_LINK_ITEMS: 'Karten mit Punkten von Specs verknüpfen',
  SPECS_LINK_SCENARIOS: 'Testkarten mit Szenarien verknüpfen',
  SPECS_MAP_TESTS: 'festlegen, welcher Test ein Szenario zeigt',
  SPECS_RECORD_RESULTS: 'Ergebnisse von Testszenarien eintragen',
  SPECS_UPDATE_COVERAGE_FLAGS: 'Specs von der Abdeckung ausnehmen',
  SPRINTS_ASSIGN: 'die Karten von Sprints auswählen',
  SPRINTS_UPDATE_COVERAGE_FLAGS: 'Sprints von der Abdeckung ausnehmen',
}

const wordsOf = (name: string): string => parts[name] ?? resources[name] ?? name

/** What may be done, in plain words: "Karten nach „Erledigt“ verschieben" (access 2.5). */
function saying(name: string): string {
  const [resource = '', action = '', ...rest] = name.split('_')
  const [noun, verb, part] = [wordsOf(resource), verbs[action] ?? action, wordsOf(rest.join('_'))]
  if (action === 'WRITE') return `${noun} in „${wordsOf(rest.slice(1).join('_'))}“ ändern`
  if (part === '') return `${noun} ${verb}`
  if (action === 'MOVE') return `${noun} nach „${part}“ ${verb}`
  return resource === 'QA' || resource === 'KNOWLEDGE' ? `${noun} zu ${part} ${verb}` : `${part} von ${noun} ${verb}`
}

const may = (name: string): string => sayings[name] ?? saying(name)

/** Maximum number of holders that are named. */
const maxNamed = 5

const named = (names: readonly string[]): string =>
  listed(names.length > maxNamed ? [...names.slice(0, maxNamed), `${number(names.length - maxNamed)} weitere`] : names)

export const permissions: Messages['permissions'] = {
  may,
  lacks: name => `Nicht erlaubt: ${may(name)} (${name})`,
  heldBy: names => `Erlaubt für ${named(names)}`,
  heldByNobody: 'Auch sonst darf es niemand auf diesem Board',
  presets: names => `Rollen, die es erlauben: ${named(names)}`,
}
