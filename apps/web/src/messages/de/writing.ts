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
  reference: 'Auf einen Eintrag verweisen',
  attach: 'Bild oder Datei anhängen',
  saveFile: 'Datei speichern',
  uploading: name => `${name} wird hochgeladen`,
  waitForUpload: 'Warten, bis die Dateien hochgeladen sind.',
  withKey: (label, key) => `${label} (Strg+${key})`,
  preview: 'Vorschau',
  people: 'Personen und Agenten dieses Boards',
  records: 'Einträge dieses Boards',
}
