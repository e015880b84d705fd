import type { Messages } from '../messages.ts'

export const viewer: Messages['viewer'] = {
  open: title => `Ganzer Bildschirm: ${title}`,
  openHint: 'Ganzer Bildschirm, größer und kleiner',
  smaller: 'Kleiner (-)',
  larger: 'Größer (+)',
  all: 'Alles (0)',
  percent: factor => `${factor} %`,
  saveHtml: 'Als Seite speichern (HTML)',
  more: title => `Mehr: ${title}`,
  saveSource: 'Quelltext speichern',
}
