import { listed } from '../format.ts'
import { inLanguage } from '../language.ts'

export const presence = inLanguage('presence', {
  label: 'How you are signed in',
  byKey: 'You are signed in with a key: only approvals want you yourself.',
  byKeyShort: 'Signed in with a key',
  asAgentShort: 'Signed in as an agent',
  byLink: 'A link signs you in; on the machine of the service:',
  asAgent:
    'You are signed in with the key of an agent: what you do is the agent’s, and it approves nothing that asks for a person.',
  channelLabel: 'How you are told',
  channelOff: (names: readonly string[]) =>
    `No messages reach you any more by ${listed(names)}: sending there failed too often.`,
  channels: 'See your channels',
  close: 'Hide',
})
