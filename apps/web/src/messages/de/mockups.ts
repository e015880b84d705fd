import type { Messages } from '../messages.ts'

export const mockups: Messages['mockups'] = {
  add: 'Mockup hinzufügen',
  addIt: 'Hinzufügen',
  edit: title => `${title} bearbeiten`,
  remove: title => `${title} entfernen`,
  removeLead: 'Der Verlauf des Eintrags behält es.',
  title: 'Titel',
  description: 'Beschreibung',
  source: 'HTML',
  file: 'Aus einer Datei: HTML oder ein Bild',
  preview: 'Vorschau',
  empty: 'Das Mockup ist leer.',
  unknownFile: name => `„${name}“ ist kein Mockup. Eine HTML-Datei oder ein Bild (PNG, JPEG, WebP, GIF, SVG) wählen.`,
  tooLarge: name => `„${name}“ ist größer als 1 MB. Das Bild kleiner speichern oder an eine Karte anhängen.`,
}
