import { inLanguage } from '../language.ts'

export const viewer = inLanguage('viewer', {
  open: (title: string) => `Full screen: ${title}`,
  openHint: 'Full screen, larger and smaller',
  smaller: 'Smaller (-)',
  larger: 'Larger (+)',
  all: 'All of it (0)',
  percent: (factor: string) => `${factor} %`,
  saveHtml: 'Save as page (HTML)',
  more: (title: string) => `More: ${title}`,
  saveSource: 'Save the source',
})
