import { dialect, type FixedQuery, fixedQuery, type Param } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { doneTypeOf } from '../../planning/proof/done-tiers.ts'
import type { Db } from '../../schema/database.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { Schema } from '../../schema/tables.ts'
import type { RecordType } from '../kinds/kinds.ts'

/** Event log entries that are read at once. */
const eventsAtOnce = 40

/** The position of a record in an archive: by its time, then by its key. */
export interface ArchivePosition {
  readonly key: string
  readonly at: string
}

/** The next records of a kind in an archive. */
export interface Segment {
  /** A list as JSON. */
  readonly keys: string
  /** The time of the last one; null if there are none. */
  readonly at: string | null
}

/** How the records of a kind are read. */
export interface KindQueries {
  /** The next records of `board`, after the position `at` and `key`. */
  readonly places: FixedQuery
  /** The rows for some `keys`, a list as JSON. */
  readonly rows: FixedQuery
}

/** The queries for the parts of an archive that are not a kind of record of their own. */
export interface PartQueries {
  readonly board: FixedQuery
  readonly agents: FixedQuery
  readonly externalAuthors: FixedQuery
  /** The next log entries of `board`, after the sequence number `after`. */
  readonly events: FixedQuery
  /** Knowledge stored in cards, with its card, by `keys`. */
  readonly cardKnowledge: FixedQuery
  /** The parts of the architecture design `id`. */
  readonly versions: FixedQuery
  readonly payloads: FixedQuery
  readonly formerPayloads: FixedQuery
}

type OfBoard = { readonly board: string }
type OfKeys = { readonly board: string; readonly keys: string }
type OfDesign = { readonly id: string }

/** The SQL for a kind: its positions in any order, and the rows for some keys. */
interface Kind {
  readonly places: (board: string) => RawBuilder<ArchivePosition>
  readonly rows: (keys: RawBuilder<string>, board: string) => RawBuilder<unknown>
}

const ofTable = (table: string, where = sql`true`): Kind => ({
  places: board =>
    sql`select id as key, created_at as at from ${sql.table(table)} where board_id = ${board} and ${where}`,
  rows: (keys, board) =>
    sql`select * from ${sql.table(table)} where ${dialect.inList(sql.ref('id'), keys)} and ${onBoard(table, board)}`,
})

/**
 * The guidelines of a board: its own, and the global ones that are linked, each with its priority here. One may have ids
 * of several tools; only archives say whether it was global.
 */
const guidelines: Kind = {
  places: board => sql`select id as key, created_at as at from guidelines g
    where g.board_id = ${board} and g.scope = 'inline'
      or g.id in (select guideline_id from board_guidelines where board_id = ${board})`,
  rows: (keys, board) => sql`select g.*,
      coalesce((select l.priority from board_guidelines l where l.guideline_id = g.id and l.board_id = ${board}),
        g.priority) as priority,
      (select x.imported from external_ids x where x.entity_id = g.id and x.board_id = ${board}
        and x.source = 'specboard' order by x.imported_at desc limit 1) as imported
    from guidelines g where ${dialect.inList(sql.ref('g.id'), keys)}`,
}

/** The knowledge on cards, each entry as `k.value`. */
const onCards = sql`cards, ${dialect.jsonElements(sql.ref<string | null>('cards.knowledge_bases'))} k`
const ofEntry = (member: string) => dialect.jsonText(sql.ref<string>('k.value'), member)

/** Knowledge of planning records has a table; that of cards is stored in the cards. */
const knowledge: Kind = {
  places: board => sql`select id as key, created_at as at from knowledge where board_id = ${board}
    union all select ${ofEntry('id')}, ${ofEntry('created_at')} from ${onCards}
      where cards.board_id = ${board} and cards.knowledge_bases <> '[]'`,
  rows: (keys, board) => sql`select *, null as source from knowledge
    where ${dialect.inList(sql.ref('id'), keys)} and ${onBoard('knowledge', board)}`,
}

/** The entries of the event log that are in the history of a record. */
const history: Kind = {
  ...ofTable('events', sql`history_action is not null`),
  rows: (keys, board) => sql`select *, seq as sequence, history_action as action from events
    where ${dialect.inList(sql.ref('id'), keys)} and ${onBoard('events', board)}`,
}

/** Keys with a source and an id, because neither alone is unique. */
const externalIds: Kind = {
  places: board => sql`select source || ' ' || external_id as key, created_at as at from external_ids
    where board_id = ${board} and source <> 'specboard'`,
  rows: (keys, board) => sql`select *, source || ' ' || external_id as id from external_ids
    where board_id = ${board} and ${dialect.inList(sql<string>`source || ' ' || external_id`, keys)}`,
}

/** Boosts and undone sessions, of this graph and imported ones. */
const graphActions: Kind = {
  places: board => sql`select id as key, created_at as at from graph_actions where board_id = ${board}
    union all select id, started_at from kg_sessions where board_id = ${board} and artifact_type = 'node'
      and undone_at is null
    union all select id, undone_at from kg_sessions where board_id = ${board} and undone_at is not null
      and artifact_type <> 'node'`,
  rows: keys => sql`select id, action, node_type, record_ref, actor_id, created_at from graph_actions
      where ${dialect.inList(sql.ref('id'), keys)}
    union all select s.id, 'boost', n.node_type, n.source_artifact_ref, s.agent_id, s.started_at
      from kg_sessions s join kg_nodes n on n.id = s.artifact_id
      where s.artifact_type = 'node' and ${dialect.inList(sql.ref('s.id'), keys)}
    union all select id, 'undo', null, artifact_type || ':' || artifact_id, undone_by, undone_at
      from kg_sessions where artifact_type <> 'node' and ${dialect.inList(sql.ref('id'), keys)}`,
}

/** Linked changes: the others are kept only for their order (git 11). */
const changes = ofTable('changes', sql`is_linked = 1`)

/** Links of such changes, including those that somebody undid; the two ends are their key. */
const changeLinks: Kind = {
  places: board => sql`select l.change_id || ' ' || l.entity_id as key, l.linked_at as at
    from change_links l join changes c on c.id = l.change_id
    where l.board_id = ${board} and c.board_id = ${board} and c.is_linked = 1`,
  rows: (keys, board) => sql`select *, change_id || ' ' || entity_id as id from change_links
    where board_id = ${board} and ${dialect.inList(sql<string>`change_id || ' ' || entity_id`, keys)}`,
}

/** Authors are all assigned at the same time, and sorted differently. */
const changeAuthors: Kind = {
  ...ofTable('change_authors'),
  places: board => sql`select id as key, '' as at from change_authors where board_id = ${board}`,
}

/** A list of objects as JSON. */
const listed = (members: readonly string[], from: RawBuilder<unknown>, order: string) =>
  sql`(select ${dialect.jsonCollect(sql`${dialect.jsonObject(members)} order by ${sql.ref(order)}`)} from ${from})`

/** The source of a report or run; for an imported one, its original source. */
const judged = sql`coalesce(${dialect.jsonText(sql.ref<string | null>('t.origin'), 'tier')}, t.tier) as tier,
  coalesce(${dialect.jsonText(sql.ref<string | null>('t.origin'), 'tier_reason')}, t.tier_reason) as tier_reason`

const isOfBoard = sql`exists (select 1 from cards c where c.id = r.entity_id and c.board_id = r.board_id)
  or exists (select 1 from specs c where c.id = r.entity_id and c.board_id = r.board_id)`

const caseMembers = [
  'position',
  'address',
  'suite',
  'class',
  'name',
  'file',
  'status',
  'is_flaky',
  'duration_ms',
  'message',
  'refs',
]

/** A run that has ended, by the id in a column: others are not in archives. */
const endedRun = (column: string) =>
  sql`(select p.id from proof_runs p where p.id = ${sql.ref(column)} and p.status in ('passed', 'failed', 'empty'))`

const testReports: Kind = {
  ...ofTable('test_reports'),
  rows: keys => sql`select t.*, ${judged}, ${endedRun('t.proof_run_id')} as proof_run_id,
      ${listed(['entity_type', 'entity_id', 'how'], sql`report_records r where r.report_id = t.id and (${isOfBoard})`, 'entity_id')} as records,
      ${listed(caseMembers, sql`test_cases s where s.report_id = t.id and s.is_named = 1`, 'position')} as named_cases
    from test_reports t where ${dialect.inList(sql.ref('t.id'), keys)}`,
}

const proofRuns: Kind = {
  places: board => sql`select id as key, started_at as at from proof_runs where board_id = ${board}
    and status in ('passed', 'failed', 'empty')`,
  rows: keys => sql`select t.*, ${judged},
      ${listed(['entity_type', 'entity_id'], sql`run_records r where r.run_id = t.id and (${isOfBoard})`, 'entity_id')} as records
    from proof_runs t where ${dialect.inList(sql.ref('t.id'), keys)}`,
}

const resultKey = sql<string>`s.spec_id || ' ' || s.scenario_id || ' ' || s.tier`

/** The condition for an imported result without a local one of the same scenario and tier. */
const stillImported = sql`not exists (select 1 from scenario_results n
  where n.spec_id = s.spec_id and n.scenario_id = s.scenario_id and n.tier = s.tier)`

const resultColumns = sql`${resultKey} as id, s.spec_id, s.scenario_id, s.tier, s.tier_reason, s.status, s.commit_sha,
  s.repository_id, (select t.id from test_reports t where t.id = s.report_id) as report_id,
  ${endedRun('s.run_id')} as run_id, s.cases, s.is_flaky, s.print, s.made_at`

/** The newest result of each tier of scenarios: spec, scenario and tier are their key. */
const scenarioResults: Kind = {
  places: board => sql`select ${resultKey} as key, s.made_at as at from scenario_results s where s.board_id = ${board}
    union all select ${resultKey}, s.made_at from imported_results s where s.board_id = ${board} and ${stillImported}`,
  rows: (keys, board) => sql`select ${resultColumns} from scenario_results s
      where s.board_id = ${board} and ${dialect.inList(resultKey, keys)}
    union all select ${resultColumns} from imported_results s
      where s.board_id = ${board} and ${stillImported} and ${dialect.inList(resultKey, keys)}`,
}

/** A card has one waiver at most, which has no other key. */
const waivers: Kind = {
  places: board => sql`select card_id as key, waived_at as at from card_waivers where board_id = ${board}`,
  rows: keys => sql`select *, card_id as id from card_waivers where ${dialect.inList(sql.ref('card_id'), keys)}`,
}

/** The tiers of records that are done; a record has one at most, which has no other key. */
const doneTiers: Kind = {
  places: board => sql`select entity_id as key, '' as at from done_tiers where board_id = ${board}`,
  rows: keys => sql`select * from (select t.entity_id as id, t.entity_id, ${doneTypeOf('t')} as entity_type,
      coalesce(${dialect.jsonText(sql.ref<string | null>('t.origin'), 'tier')}, t.tier) as tier
    from done_tiers t where ${dialect.inList(sql.ref('t.entity_id'), keys)}) done where entity_type is not null`,
}

const special: Partial<Record<RecordType, Kind>> = {
  guideline: guidelines,
  knowledge,
  graph_action: graphActions,
  history,
  external_id: externalIds,
  change: changes,
  change_link: changeLinks,
  author: changeAuthors,
  test_report: testReports,
  proof_run: proofRuns,
  scenario_result: scenarioResults,
  waiver: waivers,
  done_tier: doneTiers,
}

/**
 * The queries for the records of a kind in a table.
 * @param segment how many positions are read at once
 */
export function kindQueries(db: Db, type: RecordType, table: keyof Schema, segment: number): KindQueries {
  const { places, rows } = special[type] ?? ofTable(table)
  return {
    places: fixedQuery(
      db,
      (
        param: Param<OfBoard & ArchivePosition>,
      ) => sql`select ${dialect.jsonCollect(sql`key order by at, key`)} as keys, max(at) as at
        from (select key, at from (${places(param('board'))}) places
          where (at, key) > (${param('at')}, ${param('key')}) order by at, key limit ${sql.lit(segment)}) next`,
    ),
    rows: fixedQuery(db, (param: Param<OfKeys>) => rows(sql`${param('keys')}`, param('board'))),
  }
}

/** The queries for the parts of an archive. */
export const partQueries = (db: Db): PartQueries => ({
  board: fixedQuery(db, (param: Param<OfBoard>) => sql`select * from boards where id = ${param('board')}`),
  agents: fixedQuery(db, () => sql`select id, name, kind from agents`),
  externalAuthors: fixedQuery(
    db,
    (param: Param<OfBoard>) =>
      sql`select author, agent_id, name, kind from external_authors where board_id = ${param('board')}`,
  ),
  events: fixedQuery(
    db,
    (param: Param<OfBoard & { readonly after: number }>) => sql`select *, seq as sequence,
        case when history_action is null then changes end as changes from events
      where board_id = ${param('board')} and seq > ${param('after')} order by seq limit ${sql.lit(eventsAtOnce)}`,
  ),
  cardKnowledge: fixedQuery(
    db,
    (param: Param<OfKeys>) => sql`select cards.id as card, k.value as item, k.key + 1 as place
        from ${onCards}
      where cards.board_id = ${param('board')} and cards.knowledge_bases <> '[]'
        and ${dialect.inList(ofEntry('id'), sql`${param('keys')}`)}`,
  ),
  versions: designParts(db, 'architecture_versions', 'version'),
  payloads: designParts(db, 'architecture_payloads', 'id'),
  formerPayloads: designParts(db, 'architecture_former_payloads', 'diagram_id', 'content_hash'),
})

const designParts = (db: Db, table: string, ...order: string[]): FixedQuery =>
  fixedQuery(
    db,
    (param: Param<OfDesign>) => sql`select * from ${sql.table(table)} where design_id = ${param('id')}
      order by ${sql.join(order.map(name => sql.ref(name)))}`,
  )
