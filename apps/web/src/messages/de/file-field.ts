import type { Messages } from '../messages.ts'

export const fileField: Messages['fileField'] = {
  choose: 'Datei auswählen oder hierher ziehen',
}
