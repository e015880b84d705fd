import { inLanguage } from '../language.ts'

export const fileField = inLanguage('fileField', {
  choose: 'Choose a file or drop it here',
})
