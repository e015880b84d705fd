import type { Messages } from '../messages.ts'
import { listed } from './words.ts'

export const connect: Messages['connect'] = {
  title: 'App verbinden',
  verified: (name, host) => `${name} (${host}) möchte im Namen der Person mit Specboard arbeiten.`,
  says: name =>
    `Eine App, die sich „${name}“ nennt, möchte im Namen der Person mit Specboard arbeiten. Niemand hat diesen Namen geprüft.`,
  local:
    'Die Antwort geht an ein Programm auf diesem Rechner. Jedes Programm hier könnte fragen: nur erlauben, wenn die Verbindung selbst begonnen wurde.',
  answerTo: host => `Die Antwort geht an ${host}.`,
  actsAs: 'Handelt als',
  newAgent: 'Neuer Agent',
  agentName: (client, person) => `${client} von ${person}`,
  name: 'Name des Agenten',
  preset: 'Rolle',
  boards: 'Boards',
  readOnly: 'Darf nur lesen',
  confirm: 'Sie fragt vor dem Löschen nach, wenn die App das kann',
  may: (agent, rights) => `Als ${agent} darf sie: ${rights}`,
  mayReadOnly: agent => `Als ${agent} darf sie nur lesen.`,
  on: boards => `Auf ${listed(boards)}, soweit die Person es dort selbst darf.`,
  onNone: 'Noch auf keinem Board.',
  never: 'Sie gibt nie frei, was ein Board Personen vorbehält, und lässt sich jederzeit im eigenen Profil trennen.',
  consequences: 'Was sie darf',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  done: 'Dieses Fenster kann geschlossen werden.',
}
