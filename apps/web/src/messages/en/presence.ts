import { listed } from '../format.ts'
import { inLanguage } from '../language.ts'

export const presence = inLanguage('presence', {
  label: 'How you are signed in',
  byKey: 'You are signed in with a key. To approve, sign in as yourself.',
  byKeyShort: 'Signed in with a key',
  asAgentShort: 'Signed in as an agent',
  byLink: 'To get a link, on the machine of the service:',
  asAgent:
    'You are signed in with the key of an agent: what you do is the agent’s, and it approves nothing that needs a person.',
  channelLabel: 'Notifications',
  channelOff: (names: readonly string[]) =>
    `No messages reach you any more by ${listed(names)}: sending there failed too often.`,
  channels: 'See your channels',
  close: 'Hide',
})
