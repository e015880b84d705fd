import { inLanguage } from '../language.ts'

export const invitations = inLanguage('invitations', {
  noAddress:
    'Invitations need the address at which people reach this service. Whoever runs it sets SPECBOARD_PUBLIC_URL and starts it anew.',
})
