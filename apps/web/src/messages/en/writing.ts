import { inLanguage } from '../language.ts'

export const writing = inLanguage('writing', {
  tools: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  code: 'Code',
  link: 'Link',
  bullets: 'List',
  numbers: 'Numbered list',
  tasks: 'Task list',
  quote: 'Quote',
  mention: 'Mention somebody',
  reference: 'Name a record',
  withKey: (label: string, key: string) => `${label} (Ctrl+${key})`,
  preview: 'Preview',
  people: 'People and agents of this board',
  records: 'Records of this board',
})
