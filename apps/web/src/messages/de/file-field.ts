import type { Messages } from '../messages.ts'

export const fileField: Messages['fileField'] = {
  choose: 'Datei auswählen oder hierher ziehen',
  chooseAny: 'Datei auswählen, oder Dateien oder einen Ordner hierher ziehen',
  folder: 'Ordner auswählen',
}
