import type { Messages } from '../messages.ts'

export const viewer: Messages['viewer'] = {
  open: title => `Vollbild: ${title}`,
  openHint: 'Vollbild, größer und kleiner',
  smaller: 'Kleiner (-)',
  larger: 'Größer (+)',
  all: 'Alles (0)',
  percent: factor => `${factor} %`,
  saveHtml: 'Als Seite speichern (HTML)',
  more: title => `Mehr: ${title}`,
  saveSource: 'Quelltext speichern',
}
