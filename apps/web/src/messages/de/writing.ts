import type { Messages } from '../messages.ts'

export const writing: Messages['writing'] = {
  tools: 'Formatierung',
  bold: 'Fett',
  italic: 'Kursiv',
  code: 'Code',
  link: 'Link',
  bullets: 'Liste',
  numbers: 'Nummerierte Liste',
  tasks: 'Aufgabenliste',
  quote: 'Zitat',
  mention: 'Jemanden erwähnen',
  reference: 'Einen Eintrag nennen',
  withKey: (label, key) => `${label} (Strg+${key})`,
  preview: 'Vorschau',
  people: 'Menschen und Agenten dieses Boards',
  records: 'Einträge dieses Boards',
}
