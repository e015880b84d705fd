export const presence = {
  label: 'How you are signed in',
  byKey: 'You are signed in with a key: look and work, but approvals want you yourself.',
  byLink: 'A link signs you in as yourself; on the machine that runs the service:',
  asAgent:
    'You are signed in with the key of an agent: what you do is the agent’s, and it approves nothing that asks for a person.',
  close: 'Hide',
} as const
