import { inLanguage } from '../language.ts'

export const mockups = inLanguage('mockups', {
  add: 'Add a mockup',
  addIt: 'Add',
  edit: (title: string) => `Edit ${title}`,
  remove: (title: string) => `Remove ${title}`,
  removeLead: 'The history of the record keeps it.',
  title: 'Title',
  description: 'Description',
  source: 'HTML',
  file: 'From a file: HTML or a picture',
  preview: 'Preview',
  empty: 'The mockup is empty.',
  unknownFile: (name: string) =>
    `“${name}” is not a mockup. Choose an HTML file, or a PNG, JPEG, WebP, GIF or SVG picture.`,
  tooLarge: (name: string) => `“${name}” is larger than 1 MB. Save the picture smaller, or attach it to a card.`,
})
