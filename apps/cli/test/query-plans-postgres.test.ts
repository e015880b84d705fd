/** The plans of PostgreSQL for every operation, in a database of 10,000 rows a table. */
import { rmSync } from 'node:fs'
import { features } from '@specboard/contract'
import { type Caller, type OpenedService, openService, recountLists, writeWithoutLock } from '@specboard/domain'
import { canStartServer, onServer, privateServer, volatileOptions } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tables } from '../../../packages/domain/src/schema/tables/all.ts'
import { rows } from './operations/rows.ts'
import { fillPostgres } from './support/filled-postgres.ts'
import { Person } from './support/person.ts'
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
import {
  ableToTellPlans,
  faultsOf,
  loggingPlans,
  type Planned,
  plansOf,
  type Stored,
  storedIn,
} from './support/postgres-plans.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

/** The accepted scans, by operation, each with its reason. */
const accepted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The planner expects search words to match a two-hundredth of all records, whatever they are.
  search_records: { 'scans search_records': 'the records that match are counted' },
  list_agents: { 'scans agents': 'who may read people sees every person, and most rows here are persons' },
  list_invitations: { 'scans invitations': 'open ones come first, whenever they were made' },
  list_presets: { 'scans presets': 'built-in ones and those of the managed agents' },
  // The key of a validation's card tells the server how many there are: it compares them in one pass.
  get_agent_analytics: { 'scans external_ids': 'whole boards are counted, and compared with what was imported on all' },
  get_service_status: { 'scans kg_queue': 'counts what waits' },
  list_test_reports: {
    'repeats Materialize': 'a board has at most 100 repositories; those of the filled table are of one',
  },
}

/**
 * What writes, and the background work meanwhile, may read, by the beginning of the statement, each with its reason.
 */
const acceptedBehindWrites: Readonly<Record<string, string>> = {
  'scans boards: select "id" from "boards"': 'the alarm of the queue looks at every board once after a start',
  'reads boards: select b.id as board_id from boards b': 'the same',
  'scans agents: select "id" from "agents"': 'an import compares the authors of its file with all agents',
  'scans agents: select "id", "name", "kind", "is_active"': 'the link of the command line looks for the owner',
  'reads grants: select a.id, a.name, a.kind': 'who of the board has the next part',
  'reads shares: select a.id, a.name, a.kind': 'the same',
  'reads search_history: delete from search_history': 'fifty and one of an agent, of which the filled table has more',
  'reads path_reservations: select * from "path_reservations"':
    'twenty of an agent, of which the filled table has more',
  "reads path_reservations: select 'card' as kind": 'the paths of a board that somebody works on',
  "reads agents: select 'card' as kind": 'who works on them',
  // What is ready on a board is read as a whole by the first claim on it, and kept (work 1).
  'reads card_dependencies: select open.id as card_id': 'the links between the open cards of a board, kept',
  'reads cards: select c.id, c.priority, c.due_date, c.position, c.created_at': 'the open cards of a board, kept',
  'reads specs: select c.id, c.priority, c.due_date, c.position, c.created_at': 'whether their specs are open',
  'reads sprints: select c.id, c.priority, c.due_date, c.position, c.created_at': 'whether their sprints are open',
  'reads claims: select c.id, c.priority, c.due_date, c.position, c.created_at': 'whether they are claimed',
  'reads specs: select "id", "number", "test_scenarios" from': 'the scenarios that the tests of a report may prove',
  'reads repositories: select * from "repositories" where': 'a board has few; those of the filled table are of one',
  'reads notification_arrivals: update "notification_arrivals" set "silent"':
    'the unsent items of a person from the boards that it mutes; those of the filled table are of one',
  'reads web_sessions: delete from "web_sessions" where "agent_id"':
    'all sessions of one; those of the filled table are of one',
}

/**
 * What is read in some runs only, depending on whether the statistics of a table were collected before or after it was
 * filled.
 */
const readSometimes: Readonly<Record<string, string>> = {
  'reads identities: select * from "identities" where "person_id"':
    'all accounts of one; those of the filled table are of one',
  'reads connections: select "id" from "connections" where "agent_id"':
    'all connections of one; those of the filled table are of one',
  'reads repositories: select "id", "name" from "repositories"':
    'a board has few; those of the filled table are of one',
  'reads claims: select k.card_id, k.board_id': 'those of an agent on a board; those of the filled table are of one',
  'reads claims: select "card_id", "renewed_at", "expires_at"':
    'those of an agent on cards that it worked on; those of the filled table are of one',
  'reads claims: select "card_id", "agent_id"': 'the claims that are held on a board',
  'reads claims: select c.id as card_id, cl.agent_id': 'the claims that are held on a board',
  'scans kg_queue: select (select count(*) from kg_queue)': 'what waits is counted where health is looked at',
  'reads inbox_marks: select m.*': 'what one agent noted of what waits for it; those of the filled table are of one',
  'reads inbox_marks: delete from inbox_marks': 'the same',
  'reads mcp_used_tickets: delete from "mcp_used_tickets" where "expires_at"': 'those of ten minutes, all run out',
}

/** What notifications read after writes, if they get to it before the service ends. */
const readByNotifications: Readonly<Record<string, string>> = {
  'scans notification_channels: select distinct "person_id"': 'who is told of anything, looked for after a start',
  'reads notification_channels: select * from': 'a person has at most 20',
  'reads notification_arrivals: select "item_id", "since"':
    'what a person was told of; in the filled table all is of one',
  'reads notification_arrivals: delete from': 'the same',
  'reads notification_arrivals: select * from': 'the same',
  'reads notification_arrivals: select count(*)': 'the same',
  'reads notification_deliveries: select * from': 'what a channel still has to send; in the filled table all is of one',
  'scans presets: select "id", "name"': 'who could fill a gap of a crew',
  'reads claims: select min(k.expires_at)': 'when an inbox changes by the clock alone',
  'reads webhooks: select min(w.failing_since)': 'the same',
}

/** Tables that must have rows for the test to say much. */
const filled = ['boards', 'cards', 'events', 'kg_nodes', 'kg_queue', 'search_records', 'webhook_deliveries']

/** What no operation runs itself: claims of the graph's queue, triggers, and what follows references. */
const alsoRun = ['with recursive waiting', 'insert into list_counts', 'DELETE FROM ONLY "public"."webhooks"']

/** Tables with few rows however much is stored. */
const fewRows: ReadonlySet<string> = new Set([
  ...tables.filter(({ isSmall }) => isSmall).map(({ name }) => name),
  'kysely_migration',
  'kysely_migration_lock',
])

/**
 * The number of rows in each table, and the number of read rows from which a call about few records has read a whole
 * board.
 */
const rowsOfTable = 10_000
const manyRows = 4_000

/** How many connections a service reads with. */
const readers = 8

const missing = canStartServer() ? undefined : 'no PostgreSQL: install its programs (initdb, postgres)'

describe.skipIf(missing !== undefined)(`plans of PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: Awaited<ReturnType<typeof privateServer>>
  let databaseUrl: string
  let world: World
  let scene: Scene
  let stored: Stored
  const argsOf = new Map<string, Arguments>()
  /** What an inbox reads, which is judged separately: notifications look into it after every write. */
  const readByInbox = new Set<string>()

  beforeAll(async () => {
    server = await privateServer({ options: [...volatileOptions, ...ableToTellPlans] })
    databaseUrl = await server.database()
    world = await World.start({ ...graphAtWork, databaseUrl })
    // Called once, every operation has left rows in its tables.
    scene = await Scene.on(world)
    for (const operation of writes)
      await world.call(nameOf(operation), await rows[nameOf(operation)].args(scene, world.owner))
    for (const operation of reads) argsOf.set(operation.name, await rows[nameOf(operation)].args(scene, world.owner))
    // Keeps a row in the graph's queue, which its worker empties.
    await world.ok('put_board_kg_settings', { board_id: scene.boardId, consolidation_enabled: false })
    await scene.card()
    await world.running.stop()
    await onServer(databaseUrl, `update kg_queue set status = 'pending'`)
    await fillPostgres(databaseUrl, { boardId: scene.boardId, rows: rowsOfTable, except: fewRows })
    await writeWithoutLock({ folder: world.folder, databaseUrl }, recountLists)
    // Workers would go through all of it.
    await onServer(databaseUrl, 'update webhooks set active = 0')
    await onServer(databaseUrl, 'vacuum analyze')
    stored = await storedIn(databaseUrl, rowsOfTable)
    expect(filled.filter(table => !stored.large.has(table))).toEqual([])
    await onServer(databaseUrl, 'delete from search_changes; delete from kg_queue')
    await setting(loggingPlans)
  }, 300_000)

  afterAll(async () => {
    await server?.stop()
    if (world !== undefined) rmSync(world.folder, { recursive: true, force: true })
  })

  const setting = (assignment: string) =>
    onServer(databaseUrl, `alter database ${new URL(databaseUrl).pathname.slice(1)} set ${assignment}`)

  /** The faults in plans, with the beginning of each statement. */
  const faultsIn = (planned: readonly Planned[], isAccepted: (fault: string) => boolean): string[] => [
    ...new Set(
      planned.flatMap(plan =>
        faultsOf(plan, stored, manyRows)
          .filter(fault => !isAccepted(fault))
          .map(fault => `${fault}: ${plan.sql.replaceAll(/\s+/g, ' ').slice(0, 400)}`),
      ),
    ),
  ]

  /** The accepted faults that no longer occur. */
  const unused = (excuses: Readonly<Record<string, string>>, faults: readonly string[]): string[] =>
    Object.keys(excuses).filter(excuse => !faults.some(fault => fault.startsWith(excuse)))

  /** How long a read of full tables may take, ms; an export reads them all. */
  const maxMs = 300_000

  describe('of a service without workers', () => {
    let opened: OpenedService
    let caller: Caller
    let started: readonly Planned[]

    beforeAll(async () => {
      started = await plansOf(async () => {
        opened = await openService({
          folder: world.folder,
          databaseUrl,
          version: 'test',
          publicUrl: 'https://board.example.com',
          workers: false,
          openApi,
          readBesideFrom: Number.POSITIVE_INFINITY,
        })
        await readsEnded()
      })
      caller = await opened.service.authenticate(world.owner.key)
    })

    afterAll(() => opened.close())

    /** Waits until every reading connection is free: each of these reads keeps its connection until all have begun. */
    async function readsEnded(): Promise<void> {
      let running = 0
      const all = Promise.withResolvers<void>()
      const read = () =>
        opened.service.database.read(async db => {
          await db.selectFrom('counters').select('value').execute()
          if (++running === readers) all.resolve()
          await all.promise
        })
      await Promise.all(Array.from({ length: readers }, read))
    }

    test.each(named(reads))(
      '%s',
      async (name, operation) => {
        const planned = await plansOf(async () => {
          for (const input of inputsOf(operation, argsOf.get(name)!))
            await opened.service.perform({ operation, input, caller })
          await readsEnded()
        })
        if (name === 'list_my_inbox') for (const { sql } of planned) readByInbox.add(sql)
        const excused = accepted[name] ?? {}
        // Analytics count whole boards, and the server compares the cards of all boards with them.
        const isAccepted = (fault: string) =>
          fault in excused ||
          ((name in features.analytics || name === 'get_evidence_analytics') && fault === 'scans cards')
        const found = faultsIn(planned, fault => fault.startsWith('reads'))
        expect(faultsIn(planned, fault => fault.startsWith('reads') || isAccepted(fault))).toEqual([])
        expect(unused(excused, found)).toEqual([])
      },
      maxMs,
    )

    test('a start', () => {
      expect(started.length).toBeGreaterThan(5)
      expect(faultsIn(started, () => false)).toEqual([])
    })

    test('the removal of a deleted board', async () => {
      const planned = await plansOf(async () => {
        await removeBoard(opened.service, caller)
        await readsEnded()
      })
      expect(planned.filter(({ sql }) => sql.startsWith('delete')).length).toBeGreaterThan(30)
      expect(faultsIn(planned, () => false)).toEqual([])
    })
  })

  /** Features whose operations are called on a new board: on one of many records they would do much, or be refused. */
  const onNewBoard: readonly object[] = [
    features['knowledge-graph'],
    features.webhooks,
    features.git,
    features.exchange,
    features.boards,
    // The filled board has as many as it may.
    features.templates,
    features.views,
    // Counts where the records of its board name somebody.
    { put_imported_name: features.board.put_imported_name },
  ]

  test('writes, and what goes on behind them', async () => {
    // As connections plan a statement that they have run often.
    await setting('plan_cache_mode = force_generic_plan')
    // A person has at most 20 channels, so that a call for one more would first have to delete thousands, one by one.
    await onServer(
      databaseUrl,
      'delete from notification_channels where id not in (select id from notification_channels order by id limit 10)',
    )
    const planned = await plansOf(async () => {
      const again = await World.on(world.folder, { ...graphAtWork, databaseUrl }, world.owner.key)
      const [filled, fresh] = [scene.servedBy(again), await Scene.on(again)]
      // Channels come last: from then on every write makes notifications look into the inbox of their person.
      const isNotification = (name: string) => name in features.notifications
      for (const operation of writes.toSorted((a, b) => +isNotification(a.name) - +isNotification(b.name))) {
        const name = nameOf(operation)
        const on = onNewBoard.some(feature => name in feature) ? fresh : filled
        const args = await rows[name].args(on, again.owner)
        // Operations that only a present person may call are called from the page; end_sessions ends the session of its
        // caller.
        const as = operation.caller === undefined ? {} : (await Person.owner(again)).page
        const { status, body } = await again.call(name, args, as)
        expect([name, status < 300 ? undefined : body]).toEqual([name, undefined])
      }
      await again.running.stop()
    })
    const ran = (beginning: string) => planned.some(({ sql }) => sql.startsWith(beginning))
    expect(alsoRun.filter(beginning => !ran(beginning))).toEqual([])
    const all = faultsIn(planned, () => false)
    const found = faultsIn(
      planned.filter(({ sql }) => !readByInbox.has(sql)),
      () => false,
    )
    const excuses = [
      ...Object.keys(acceptedBehindWrites),
      ...Object.keys(readSometimes),
      ...Object.keys(readByNotifications),
    ]
    const isExcused = (fault: string) => excuses.some(excuse => fault.startsWith(excuse))
    expect(found.filter(fault => !isExcused(fault))).toEqual([])
    expect(unused(acceptedBehindWrites, all)).toEqual([])
  }, 900_000)
})
