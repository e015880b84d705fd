import { inLanguage } from '../language.ts'

export const invitations = inLanguage('invitations', {
  noAddress: 'Invitations need the address of this service: whoever runs it sets SPECBOARD_PUBLIC_URL.',
})
