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
  attach: 'Bild oder Datei anhängen',
  saveFile: 'Datei speichern',
  uploading: name => `${name} wird hochgeladen`,
  waitForUpload: 'Warten Sie, bis die Dateien hochgeladen sind.',
  withKey: (label, key) => `${label} (Strg+${key})`,
  preview: 'Vorschau',
  people: 'Menschen und Agenten dieses Boards',
  records: 'Einträge dieses Boards',
}
