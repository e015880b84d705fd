import type { Client } from '@specboard/client'
import { type Door, httpDoor, mcpDoor } from './doors.ts'
import { says } from './screen.ts'

/** The agents of the demo, each with its own key and built-in preset. */
export interface Crew {
  readonly owner: Client
  readonly writer: Client
  readonly executor: Client
  readonly validator: Client
  readonly qa: Client
  readonly boardId: string
  leave(): Promise<void>
}

const roles = [
  ['writer', 'spec writer', 'Spec'],
  ['executor', 'executor', 'Executor'],
  ['validator', 'validator', 'Validator'],
  ['qa', 'qa', 'QA'],
] as const

/** Has the owner create a board and the agents, and give them access to it. */
export async function hire(url: string, ownerKey: string, http: boolean, boardName: string): Promise<Crew> {
  const open = (key: string, name: string): Promise<Door> =>
    http ? Promise.resolve(httpDoor(url, key)) : mcpDoor(url, key, name)
  const ownerDoor = await open(ownerKey, 'owner')
  const owner = ownerDoor.client
  const board = await owner.createBoard({
    name: boardName,
    description: 'A delivery from idea to done.',
    settings: { require_spec_validation: true, require_task_validation: true },
  })
  says('owner', `creates the board "${boardName}"`, 'specs and cards need a validation')
  const presets = await owner.listPresets()
  const doors: Record<string, Door> = {}
  for (const [role, name, presetName] of roles) {
    const preset = presets.items.find(candidate => candidate.name === presetName)!
    const agent = await owner.createAgent({ name, preset_id: preset.id })
    await owner.grantBoardAccess({ agent_id: agent.id, board_id: board.id })
    doors[role] = await open(agent.api_key!, name)
    says('owner', `creates the agent "${name}"`, `preset ${presetName}, its own key, access to the board`)
  }
  return {
    owner,
    writer: doors.writer!.client,
    executor: doors.executor!.client,
    validator: doors.validator!.client,
    qa: doors.qa!.client,
    boardId: board.id,
    leave: async () => {
      for (const door of [ownerDoor, ...Object.values(doors)]) await door.close()
    },
  }
}
