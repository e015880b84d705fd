import { listed } from '../format.ts'
import { inLanguage } from '../language.ts'

export const connect = inLanguage('connect', {
  title: 'Connect an app',
  verified: (name: string, host: string) => `${name} (${host}) wants to work with Specboard in your name.`,
  says: (name: string) =>
    `An app that says it is “${name}” wants to work with Specboard. Nobody has checked that name.`,
  local:
    'The answer goes to a program on this computer. Any program here could be asking: allow it only if you started this.',
  answerTo: (host: string) => `The answer goes to ${host}.`,
  actsAs: 'Acts as',
  newAgent: 'A new agent',
  agentName: (client: string, person: string) => `${client} of ${person}`,
  name: 'Name of the agent',
  preset: 'Preset',
  boards: 'Boards',
  readOnly: 'It may only read',
  confirm: 'It asks you before it deletes something, if the app is able to',
  may: (agent: string, rights: string) => `As ${agent} it may do this: ${rights}`,
  mayReadOnly: (agent: string) => `As ${agent} it may only read.`,
  on: (boards: readonly string[]) => `On ${listed(boards)}, within your own permissions there.`,
  onNone: 'On no board yet.',
  never: 'It never approves what a board reserves for people, and you can disconnect it in your profile at any time.',
  consequences: 'What it may do',
  allow: 'Allow',
  deny: 'Deny',
  done: 'You can close this window.',
})
