import { inLanguage } from '../language.ts'

export const fileField = inLanguage('fileField', {
  choose: 'Choose a file or drop it here',
  chooseAny: 'Choose a file, or drop files or a folder here',
  folder: 'Choose a folder',
})
