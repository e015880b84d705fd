import { type FeatureName, features, operationByName, registry } from '@specboard/contract'
import { guides } from '../guides.ts'

const names = (text: string): readonly string[] => text.split(/\s+/)

/** The planning and delivery loop of one agent (mcp 6). */
export const core = names(
  `get_my_permissions list_my_inbox list_boards list_ready_cards claim_next_card claim_card release_claim save_checkpoint
  get_card create_card update_card move_card get_allowed_moves search_records create_comment ask_question answer_question
  submit_task_validation record_scenario_result promote_card list_specs get_spec create_spec update_spec put_spec_items
  move_spec submit_spec_validation submit_spec_evaluation create_ideation get_ideation update_ideation move_ideation
  evaluate_ideation derive_spec_from_ideation list_board_guidelines`,
)

/** The guide for each role, by the name of its view (crew 8). */
export const roleGuides = {
  planner: 'planning',
  executor: 'execution',
  validator: 'validation',
  tester: 'testing',
  manager: 'managing',
} as const

const backticked = /`([a-z][a-z0-9_]+)`/g

/** The operations that a guide names, in the order of its text. */
const namedIn = (topic: string): readonly string[] => [
  ...new Set(
    [...guides[topic]!.text.matchAll(backticked)].map(([, name]) => name!).filter(name => operationByName.has(name)),
  ),
]

const roles = Object.fromEntries(Object.entries(roleGuides).map(([role, topic]) => [role, namedIn(topic)]))

/** Whether an operation is for people only: nobody can call it here, so no view lists it (people). */
const isPersonal = (name: string): boolean => operationByName.get(name)?.caller !== undefined

const ofFeature = (feature: FeatureName) => Object.keys(features[feature]).filter(name => !isPersonal(name))

/** The features with operations that views list. */
const listedFeatures = (Object.keys(features) as FeatureName[]).filter(feature => ofFeature(feature).length > 0)

/**
 * Sharing a board with other agents. As a tool, a stream would answer the same as list_board_events, so it is left out
 * (work).
 */
const work = ofFeature('work').filter(name => name !== 'stream_board_events')

/** The tool that reads pages, for clients that read no resources. */
export const pageReader = 'read_context'

/** The tools that work on operations; every view except plain `all` and `interface` includes them (mcp 11). */
export const metaTools = [...names('find_operations read_operation call_operation run_operations'), pageReader]

/**
 * The toolsets that, when requested alone, come without the tools that work on operations, because all of their
 * operations are listed (mcp 6.2).
 */
export const complete: ReadonlySet<string> = new Set(['all', 'interface'])

const allOperations = listedFeatures.flatMap(ofFeature)

/** The toolsets made for models: their answers are lean unless requested in full (crew 8). */
export const leanToolsets: ReadonlySet<string> = new Set(['core', ...Object.keys(roleGuides), 'meta'])

/**
 * The operations of each toolset: all of them, the original interface, each feature, the core, the roles, the meta
 * tools alone.
 */
export const toolsets: Readonly<Record<string, readonly string[]>> = {
  all: allOperations,
  interface: registry.filter(operation => !operation.extension).map(operation => operation.name),
  ...Object.fromEntries(listedFeatures.map(feature => [feature, ofFeature(feature)])),
  work,
  core,
  ...roles,
  meta: [],
}

/**
 * The fixed order of lists (mcp 6.5): a tool that takes no argument and only reads, the meta tools, the core,
 * then the rest. Clients that cut a long list keep the useful part.
 */
export const order: readonly string[] = [...new Set(['get_my_permissions', ...metaTools, ...core, ...allOperations])]

/** The operations that no view lists; when called by name, they say who may call them (people). */
export const personal: readonly string[] = registry.map(({ name }) => name).filter(isPersonal)

/** Former names of operations, kept for one major version (mcp 6.4). */
export const renamed: Readonly<Record<string, string>> = {}
