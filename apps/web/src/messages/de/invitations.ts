import type { Messages } from '../messages.ts'

export const invitations: Messages['invitations'] = {
  noAddress:
    'Einladungen brauchen die Adresse, unter der dieser Dienst erreichbar ist. Wer ihn betreibt, setzt SPECBOARD_PUBLIC_URL und startet ihn neu.',
}
