import { type Client, createClient } from '@specboard/client'
import { Agent } from './agent.ts'
import { printStep } from './screen.ts'

/** The agents of the demo, each with its own key and built-in preset. */
export interface Crew {
  readonly owner: Agent
  readonly planner: Agent
  readonly executors: readonly [Agent, Agent]
  readonly validator: Agent
}

const roles = [
  ['planner', 'Spec'],
  ['executor 1', 'Executor'],
  ['executor 2', 'Executor'],
  ['validator', 'Validator'],
] as const

/** What the owner prepared; the agents only get the board's key. */
export interface DemoBoard {
  readonly crew: Crew
  readonly key: string
  /** The owner's client, to look at the board afterwards. */
  readonly client: Client
}

/** Has the owner create a board and the agents with access to it. */
export async function createCrew(url: string, ownerKey: string): Promise<DemoBoard> {
  const client = createClient({ url, key: ownerKey })
  const board = await client.createBoard({
    name: 'Delivery',
    description: 'A delivery from idea to done.',
    settings: { require_spec_validation: true, require_task_validation: true, require_separate_reviewer: true },
  })
  printStep('owner', `creates the board ${board.key}`, 'specs and cards need a validation by who did not work on them')
  const presets = await client.listPresets()
  const connected: Agent[] = []
  for (const [name, presetName] of roles) {
    const preset = presets.items.find(candidate => candidate.name === presetName)!
    const { api_key } = await client.createAgent({ name, preset_id: preset.id, board_ids: [board.id] })
    connected.push(await Agent.connect(url, api_key!, name))
    printStep('owner', `creates the agent "${name}"`, `preset ${presetName}, its own key`)
  }
  const [planner, first, second, validator] = connected as [Agent, Agent, Agent, Agent]
  const owner = await Agent.connect(url, ownerKey, 'owner')
  return { crew: { owner, planner, executors: [first, second], validator }, key: board.key, client }
}

/** All agents of a crew, in the order in which they start. */
export const members = ({ owner, planner, executors, validator }: Crew): readonly Agent[] => [
  owner,
  planner,
  ...executors,
  validator,
]
