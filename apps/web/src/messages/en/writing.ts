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
  reference: 'Refer to a record',
  attach: 'Attach a picture or file',
  saveFile: 'Save file',
  uploading: (name: string) => `Uploading ${name}`,
  waitForUpload: 'Wait until the files are uploaded.',
  withKey: (label: string, key: string) => `${label} (Ctrl+${key})`,
  preview: 'Preview',
  people: 'People and agents of this board',
  records: 'Records of this board',
})
