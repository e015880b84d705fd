import { features } from '@specboard/contract'
import { type Caller, type OpenedService, openService } from '@specboard/domain'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, expect } from 'vitest'
import { tables } from '../../../packages/domain/src/schema/tables/all.ts'
import { rows } from './operations/rows.ts'
import { fillTables } from './support/filled-tables.ts'
import {
  type Arguments,
  inputsOf,
  named,
  nameOf,
  openApi,
  reads,
  removeBoard,
  writes,
} from './support/planned-calls.ts'
import { QueryPlans, type Statement, statementsOf } from './support/query-plans.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

/** The tables whose records say who made, answered, reviewed or has them. */
const tablesNamingAgents = [
  ...['ideations', 'refinements', 'specs', 'sprints', 'cards', 'questions', 'comments', 'attachments', 'knowledge'],
  ...['architecture_designs', 'task_validations', 'spec_validations'],
]

/** The accepted faults, by operation, each with its reason. */
const accepted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The agents, boards and presets that a caller sees are few, come from several sources, and are ordered together.
  // Five orders of any filter: only what matches is ordered, by its ids, and then one page is read.
  list_cards: { 'sorts boards': 'the cards that match' },
  list_board_dependencies: { 'sorts boards': 'the links of one board' },
  search_records: {
    'sorts values': 'at most a thousand and one titles that begin so',
    'scans search_records': 'ends at the newest thousand, by their index',
  },
  list_board_events: { 'sorts events': 'the entries of one look, which a window adds up' },
  stream_board_events: { 'sorts events': 'the entries of one look, which a window adds up' },
  list_my_inbox: {
    'sorts shares': 'the agents that one board admits',
    'sorts events': 'who took part in the work of one card',
    'sorts agents': 'who took part in the work of one card',
  },
  get_proof: { 'sorts shares': 'the agents that one board admits' },
  get_evidence_analytics: { 'sorts test_cases': 'the tests of one report, and the flaky ones of a hundred' },
  export_board_analytics: { 'sorts test_cases': 'the tests of one report, and the flaky ones of a hundred' },
  list_workers: { 'scans worker_signs': 'a row a node' },
  list_ready_cards: { 'groups list_counts': 'the counts of a board, by kind and status' },
  get_board_overview: {
    'groups list_counts': 'the counts of a board, by kind and status',
    'groups refinements': 'the counts of a whole board, in a thread',
    'groups done_tiers': 'the done cards of a whole board, in a thread',
    'groups ideations': 'the labels of a whole board, in a thread',
    'sorts ideations': 'these labels',
  },
  list_board_members: {
    'groups cards': 'whom a whole board names, in a thread',
    'sorts shares': 'the agents that one board admits',
  },
  list_imported_names: Object.fromEntries(
    tablesNamingAgents.map(table => [`groups ${table}`, 'whom a whole board names, in a thread']),
  ),
  get_service_status: {
    'scans kysely_migration': 'a row for each migration',
    'scans kg_queue': 'counts an index of what waits',
    'scans kg_dead_letters': 'counts an index of what failed',
    'scans webhooks': 'a few on each board',
    'scans nodes': 'a row for each process',
  },
  list_agents: { 'sorts agents': 'the tree of agents that the caller manages' },
  list_board_agents: { 'sorts agents': 'the agents that one board admits' },
  get_board: { 'sorts agents': 'the agents that one board admits' },
  list_boards: { 'sorts boards': 'the boards that the caller reaches, which its ways name' },
  list_presets: { 'scans presets': 'built-in ones and those of the managed agents', 'sorts agents': 'these presets' },
  list_board_guidelines: { 'sorts board_guidelines': 'the guidelines in force on one board, from two tables' },
  get_cycle_time_analytics: { 'sorts boards': 'the cards that were done in a window, of which one page is read' },
  get_analytics_overview: { 'sorts boards': 'the boards that the caller reaches' },
  export_analytics_overview: { 'sorts boards': 'the boards that the caller reaches' },
  get_lineage_graph: { 'sorts boards': 'the tree of one record', 'sorts specs': 'the tree of one record' },
  get_kg_node: { 'sorts kg_nodes': 'the edges of one node' },
  get_kg_graph: { 'sorts kg_edges': 'the neighbours of the nodes of a step' },
  get_kg_supersedence: { 'sorts kg_nodes': 'what one decision superseded' },
  get_kg_pending_tree: { 'sorts kg_sessions': 'the tree of a whole board' },
  get_kg_health: {
    'groups kg_edges': 'the contradictions of a board',
    'scans kg_ticks': 'ends at the newest two, by their index',
    'sorts kg_nodes': 'health of a whole graph; another index would cost every change of an edge',
  },
}

/**
 * Tables with few rows however much is stored; `boards`, which a tick of the graph takes one by one, and
 * `search_changes`, of which the index of search takes the first.
 */
const fewRows = new Set([
  ...tables.filter(({ isSmall }) => isSmall).map(({ name }) => `scans ${name}`),
  'scans boards',
  'scans search_changes',
])

/**
 * Whether a statement was run for a call: the service also checks its own condition regularly, which get_service_status
 * answers.
 */
const isOfCall = ({ sql }: Statement): boolean => !sql.includes('as "graph_behind_records"')

let world: World
let opened: OpenedService
let caller: Caller
let plans: QueryPlans
const argsOf = new Map<string, Arguments>()
const statementsByWrite = new Map<string, Statement[]>()
let started: readonly Statement[]

beforeAll(async () => {
  world = await World.start(graphAtWork)
  const scene = await Scene.on(world)
  for (const operation of writes) {
    const args = await rows[nameOf(operation)].args(scene, world.owner)
    const statements = await statementsOf(() => world.call(nameOf(operation), args))
    statementsByWrite.set(operation.name, statements.filter(isOfCall))
  }
  for (const operation of reads) argsOf.set(operation.name, await rows[nameOf(operation)].args(scene, world.owner))
  await world.running.stop()
  // SQLite plans without counting rows; more than a thousand rows exceed every limit above which a read behaves
  // differently.
  fillTables(world.folder, 1_500)
  started = await statementsOf(async () => {
    opened = await openService({
      folder: world.folder,
      version: 'test',
      publicUrl: 'https://board.example.com',
      workers: false,
      openApi,
      readBesideFrom: Number.POSITIVE_INFINITY,
    })
  })
  // The index has copies of its own; indexing all the others would only take long.
  await opened.service.database.write(db => db.deleteFrom('search_changes').execute())
  caller = await opened.service.authenticate(world.owner.key)
  plans = new QueryPlans(world.folder)
}, 300_000)

afterAll(async () => {
  plans.close()
  await opened.close()
})

/** The faults in the plans of statements, with the beginning of each. */
const faultsOf = (statements: readonly Statement[], isAccepted: (fault: string) => boolean): string[] => [
  ...new Set(
    statements.flatMap(statement =>
      plans
        .faultsOf(statement)
        .filter(fault => !isAccepted(fault))
        .map(fault => `${fault}: ${statement.sql.replaceAll(/\s+/g, ' ').slice(0, 400)}`),
    ),
  ),
]

testOnSqlite.each(named(reads))('%s', async (name, operation) => {
  const statements: Statement[] = []
  for (const input of inputsOf(operation, argsOf.get(name)!))
    statements.push(...(await statementsOf(() => opened.service.perform({ operation, input, caller }))))
  const excused = accepted[name] ?? {}
  // An aggregate collects what it counts by type, day or agent: as many rows as the figure is about.
  const aggregates = name in features.analytics || name === 'get_evidence_analytics'
  const isAccepted = (fault: string) => fault in excused || (aggregates && fault.startsWith('groups'))
  expect(faultsOf(statements, isAccepted)).toEqual([])
  const found = new Set(statements.flatMap(statement => plans.faultsOf(statement)))
  expect(Object.keys(excused).filter(fault => !found.has(fault))).toEqual([])
})

/** The tables that a start reads as a whole, each with the reason why they stay small however much is stored. */
const readAtStart: Readonly<Record<string, string>> = {
  'scans kysely_migration': 'a row for each migration',
  'scans secrets': 'a few of the service itself',
  'scans agents': 'ends at the first',
  'scans imports': 'those that are under way',
  'scans claims': 'those that are held, of which the expired ones go',
}

testOnSqlite('a start', () => {
  expect(started.length).toBeGreaterThan(5)
  expect(faultsOf(started, fault => fewRows.has(fault) || fault in readAtStart)).toEqual([])
})

testOnSqlite('the removal of a deleted board', async () => {
  const statements = await statementsOf(() => removeBoard(opened.service, caller))
  expect(statements.filter(({ sql }) => sql.startsWith('delete')).length).toBeGreaterThan(30)
  expect(faultsOf(statements, fault => fewRows.has(fault))).toEqual([])
})

/** An import compares the authors of its file with all agents. */
const scannedBy: Readonly<Record<string, string>> = { import_board: 'scans agents' }

// What a write sorts belongs to the records that it changes.
testOnSqlite.each(named(writes))('%s', name => {
  const isAccepted = (fault: string) => !fault.startsWith('scans') || fewRows.has(fault) || scannedBy[name] === fault
  expect(faultsOf(statementsByWrite.get(name)!, isAccepted)).toEqual([])
})
