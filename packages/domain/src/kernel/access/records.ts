import { type AnyOperation, pathNames } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { parseNullable } from '../../lib/json.ts'
import type { Flags } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard } from '../../schema/same-board.ts'
import { tableNamed } from '../../schema/tables/all.ts'
import type { Schema } from '../../schema/tables.ts'
import { notFound } from '../errors.ts'
import { type BoardReach, reaches, type ShareLevel } from './access.ts'

/** The kinds of record that a path can address. */
export type RecordType =
  | 'board'
  | 'ideation'
  | 'refinement'
  | 'spec'
  | 'sprint'
  | 'card'
  | 'comment'
  | 'question'
  | 'architecture_design'
  | 'webhook'
  | 'reservation'
  | 'repository'
  | 'change'
  | 'test_report'
  | 'proof_run'
  | 'view'
  | 'template'

/** A record that a path addresses, with the columns that access and the state limits depend on. */
export interface AddressedRecord {
  readonly type: RecordType
  readonly id: string
  readonly board_id: string
  /** Null for records without a status of their own. */
  readonly status: string | null
  readonly archived: boolean
  /** Whether there is news about the record that the caller has not read (crew 4.3). */
  readonly news: boolean
}

interface RecordKind {
  readonly type: RecordType
  readonly table: keyof Schema
  /** The rows to search; undefined for the whole table. */
  readonly rows?: RawBuilder<unknown>
  /** Whether the rows have `status` and `archived`. */
  readonly stateful: boolean
}

/** Path parameters that name the same kind of record in every path. */
const recordParams: Readonly<Record<string, RecordKind>> = {
  ideation_id: { type: 'ideation', table: 'ideations', stateful: true },
  refinement_id: { type: 'refinement', table: 'refinements', stateful: true },
  spec_id: { type: 'spec', table: 'specs', stateful: true },
  sprint_id: { type: 'sprint', table: 'sprints', stateful: true },
  card_id: { type: 'card', table: 'cards', stateful: true },
  depends_on_id: { type: 'card', table: 'cards', stateful: true },
  comment_id: { type: 'comment', table: 'comments', stateful: false },
  design_id: { type: 'architecture_design', table: 'architecture_designs', stateful: false },
  webhook_id: { type: 'webhook', table: 'webhooks', stateful: false },
  reservation_id: { type: 'reservation', table: 'path_reservations', stateful: false },
  repository_id: { type: 'repository', table: 'repositories', stateful: false },
  change_id: {
    type: 'change',
    table: 'changes',
    rows: sql`(select id, board_id from changes where is_bare = 0)`,
    stateful: false,
  },
  run_id: { type: 'proof_run', table: 'proof_runs', stateful: false },
  report_id: { type: 'test_report', table: 'test_reports', stateful: false },
  template_id: { type: 'template', table: 'templates', stateful: false },
  view_id: { type: 'view', table: 'saved_views', stateful: false },
}

/** The card question of `/qa/{qa_id}`, whose path does not name the card. */
const question: RecordKind = {
  type: 'question',
  table: 'questions',
  rows: sql`(select id, board_id from questions where owner_type = 'card')`,
  stateful: false,
}

/** A question on a record of any kind. */
const anyQuestion: RecordKind = { type: 'question', table: 'questions', stateful: false }

/** A card that exists or whose activity outlives it (cards 13). */
const rememberedCard: RecordKind = {
  type: 'card',
  table: 'cards',
  rows: sql`(select id, board_id, status, archived from cards
    union all select card_id, board_id, null, 0 from events where action = 'card_deleted')`,
  stateful: true,
}

/** A part of a record: a row that references its owner, or an object with an id in a JSON column of its owner. */
interface PartKind {
  readonly table: keyof Schema
  readonly owner: string
  readonly type: string
  readonly inside?: string
  /** Another column that may reference it. */
  readonly alias?: string
}

/** Path parameters that name a part of the record before them. */
const partParams: Readonly<Record<string, PartKind>> = {
  qa_id: { table: 'questions', owner: 'owner_id', type: 'question' },
  kb_id: { table: 'cards', owner: 'id', type: 'knowledge', inside: 'knowledge_bases' },
  scenario_id: { table: 'specs', owner: 'id', type: 'test_scenario', inside: 'test_scenarios' },
  knowledge_id: { table: 'knowledge', owner: 'owner_id', type: 'knowledge' },
  validation_id: { table: 'task_validations', owner: 'card_id', type: 'validation' },
  attachment_id: { table: 'attachments', owner: 'card_id', type: 'attachment' },
  share_id: { table: 'shares', owner: 'board_id', type: 'share' },
  node_id: { table: 'kg_nodes', owner: 'board_id', type: 'kg_node' },
  decision_id: { table: 'kg_nodes', owner: 'board_id', type: 'kg_node' },
  session_id: { table: 'kg_sessions', owner: 'board_id', type: 'kg_session' },
  delivery_id: { table: 'webhook_deliveries', owner: 'webhook_id', type: 'webhook_delivery' },
}

/** Parameters that name a different kind of part than in other paths, by operation. */
const ownParts: Readonly<Record<string, Readonly<Record<string, PartKind>>>> = {
  retry_forge_delivery: {
    delivery_id: { table: 'forge_deliveries', owner: 'repository_id', type: 'forge_delivery', alias: 'delivery_id' },
  },
}

/** The columns that say how an agent reaches a board. */
export interface BoardReachRow {
  board_id: string
  owner_id: string
  grant_id: string | null
  overrides: Json<Flags> | null
  share: ShareLevel | null
}

/** Selects a WayRow, in a query over boards `b` joined with `waysTo`. */
export const wayColumns = sql.raw(
  'b.id as board_id, b.owner_id, g.id as grant_id, g.permission_overrides as overrides, s.permission as share',
)

/** Joins an agent's grant `g` and share `s` to the boards `b` of a query. */
export const waysTo = (agent: string): RawBuilder<unknown> =>
  sql`left join grants g on g.board_id = b.id and g.agent_id = ${agent}
    left join shares s on s.board_id = b.id and s.user_id = ${agent}`

interface LocatedRow extends BoardReachRow {
  id: string
  status: string | null
  archived: number
  news: number
}

const hasNews = (record: string, agent: string) =>
  sql`case when exists (select 1 from news n where n.entity_id = ${sql.ref(`${record}.id`)} and n.agent_id = ${agent}
    and ${onBoard('n', sql.ref<string>('b.id'))}) then 1 else 0 end as news`

type Locator = (db: Db, parameters: { id: string; agent: string }) => Promise<LocatedRow[]>

const locators = new Map<RecordKind, Locator>()

/** Makes the query that finds a record, its board and the caller's ways to it. */
function locatorOf(kind: RecordKind): Locator {
  const cached = locators.get(kind)
  if (cached !== undefined) return cached
  const state = kind.stateful ? 'r.status, r.archived' : 'null as status, 0 as archived'
  const locator = hot<{ id: string; agent: string }, LocatedRow>(
    (_, param) =>
      sql<LocatedRow>`select r.id, ${sql.raw(state)}, ${hasNews('r', param('agent'))}, ${wayColumns}
        from ${kind.rows ?? sql.table(kind.table)} r join boards b on b.id = r.board_id ${waysTo(param('agent'))}
        where r.id = ${param('id')}`,
  )
  locators.set(kind, locator)
  return locator
}

const locateBoard = hot<{ id: string; agent: string }, LocatedRow>(
  (_, param) =>
    sql<LocatedRow>`select b.id, null as status, 0 as archived, ${hasNews('b', param('agent'))}, ${wayColumns}
      from boards b ${waysTo(param('agent'))} where b.id = ${param('id')}`,
)

/** A record found for an agent, with the agent's way to its board. */
export interface ReachedRecord {
  readonly record: AddressedRecord
  readonly way: BoardReach
}

/** An agent's way to the board of a row. */
export const wayOf = (row: BoardReachRow, agentId: string): BoardReach => ({
  boardId: row.board_id,
  owner: row.owner_id === agentId,
  grant: row.grant_id !== null,
  share: row.share,
  overrides: parseNullable(row.overrides),
})

function reached(type: RecordType, row: LocatedRow | undefined, id: string, agentId: string): ReachedRecord {
  if (row === undefined) throw notFound(type, id)
  const way = wayOf(row, agentId)
  if (!reaches(way)) throw notFound(type, id)
  const { id: found, board_id, status, archived, news } = row
  return { record: { type, id: found, board_id, status, archived: archived === 1, news: news === 1 }, way }
}

/**
 * A board, if the agent sees it.
 * @throws DomainError NOT_FOUND
 */
async function reachBoard(db: Db, id: string, agentId: string): Promise<ReachedRecord> {
  const [row] = await locateBoard(db, { id, agent: agentId })
  return reached('board', row, id, agentId)
}

/**
 * A record, if the agent sees its board.
 * @throws DomainError NOT_FOUND
 */
async function reachRecord(db: Db, kind: RecordKind, id: string, agentId: string): Promise<ReachedRecord> {
  const [row] = await locatorOf(kind)(db, { id, agent: agentId })
  return reached(kind.type, row, id, agentId)
}

/** Finds the records that an agent sees; throws DomainError NOT_FOUND for others. */
export interface Finds {
  board(id: string): Promise<ReachedRecord>
  record(kind: RecordKind, id: string): Promise<ReachedRecord>
}

/** Finds records for an agent. */
export const findsFor = (db: Db, agentId: string): Finds => ({
  board: id => reachBoard(db, id, agentId),
  record: (kind, id) => reachRecord(db, kind, id, agentId),
})

/**
 * Finds the records that an agent sees, each of them once: for examining many calls within a unit of work that writes
 * nothing.
 */
export function findsOnceFor(db: Db, agentId: string): Finds {
  const { board, record } = findsFor(db, agentId)
  const found = new Map<string, Promise<ReachedRecord>>()
  const once = (key: string, find: () => Promise<ReachedRecord>): Promise<ReachedRecord> => {
    const promise = found.get(key) ?? find()
    found.set(key, promise)
    return promise
  }
  return {
    board: id => once(`board ${id}`, () => board(id)),
    record: (kind, id) => once(`${kind === rememberedCard ? 'remembered' : kind.type} ${id}`, () => record(kind, id)),
  }
}

/**
 * A record by type and id, if the agent sees its board; for ids in queries and bodies.
 * @throws DomainError NOT_FOUND
 */
export function reachByType(db: Db, type: RecordType, id: string, agentId: string): Promise<ReachedRecord> {
  if (type === 'board') return reachBoard(db, id, agentId)
  const kind = type === 'question' ? question : Object.values(recordParams).find(candidate => candidate.type === type)
  if (kind === undefined) throw notFound(type, id)
  return reachRecord(db, kind, id, agentId)
}

const partExists = new Map<PartKind, ReturnType<typeof partQuery>>()

function partQuery({ table, owner, inside, alias }: PartKind) {
  return hot<{ id: string; owner: string; board: string }, { id: string }>((_, param) => {
    const isPart =
      inside === undefined
        ? sql`${param('id')} in (${sql.join([sql.ref('id'), ...(alias === undefined ? [] : [sql.ref(alias)])])})`
        : sql`exists (select 1 from ${dialect.jsonElements(sql.ref(inside))} part where ${dialect.jsonText(sql.ref('part.value'), 'id')} = ${param('id')})`
    const isOwn = 'board_id' in tableNamed(table)!.columns ? onBoard(table, param('board')) : sql`1 = 1`
    return sql<{ id: string }>`select id from ${sql.table(table)}
      where ${sql.ref(owner)} = ${param('owner')} and ${isOwn} and ${isPart}`
  })
}

interface RecordParameter {
  readonly param: string
  readonly kind: RecordKind
}

/** What the path of an operation addresses; worked out once per operation. */
interface AddressPlan {
  readonly board: string | null
  readonly primary: RecordParameter | null
  /** The other records: those to find before the primary one, and those to find after it. */
  readonly before: readonly RecordParameter[]
  readonly after: readonly RecordParameter[]
  readonly parts: readonly { readonly param: string; readonly part: PartKind }[]
}

/** Parameters that name a different kind of record than in other paths, by operation. */
const ownKinds: Readonly<Record<string, Readonly<Record<string, RecordKind>>>> = {
  answer_card_question: { qa_id: question },
  answer_question: { question_id: anyQuestion },
  delete_card_question: { qa_id: question },
  list_card_activity: { card_id: rememberedCard },
}

/** The parameter whose record is looked up before the addressed one, by operation (insight A.3). */
const soughtFirst: Readonly<Record<string, string>> = { copy_architecture_to_card: 'spec_id' }

const plans = new WeakMap<AnyOperation, AddressPlan>()

function planOf(operation: AnyOperation): AddressPlan {
  const cached = plans.get(operation)
  if (cached !== undefined) return cached
  const names = pathNames(operation.path)
  const [primary, ...others] = names.flatMap(param => {
    const kind = ownKinds[operation.name]?.[param] ?? recordParams[param]
    return kind === undefined ? [] : [{ param, kind }]
  })
  const plan: AddressPlan = {
    board: names.includes('board_id') ? 'board_id' : null,
    primary: primary ?? null,
    before: others.filter(({ param }) => param === soughtFirst[operation.name]),
    after: others.filter(({ param }) => param !== soughtFirst[operation.name]),
    parts: names.flatMap(param => {
      // A part follows its record in the path: what a path names alone, such as one's own session, is not a part.
      if (primary === undefined && !names.includes('board_id')) return []
      const part =
        ownParts[operation.name]?.[param] ?? (Object.hasOwn(partParams, param) ? partParams[param] : undefined)
      return part === undefined || param === primary?.param ? [] : [{ param, part }]
    }),
  }
  plans.set(operation, plan)
  return plan
}

/** Whether an operation's path addresses a record, so that a call answers 404 when its board is not visible. */
export const addressesRecord = (operation: AnyOperation): boolean => {
  const plan = planOf(operation)
  return plan.board !== null || plan.primary !== null
}

/** Whether an operation's path names something that resolving its address does not look up. */
export const namesBesideAddress = (operation: AnyOperation): boolean => {
  const { board, primary, before, after, parts } = planOf(operation)
  const found = new Set([board, primary?.param, ...[...before, ...after, ...parts].map(({ param }) => param)])
  return pathNames(operation.path).some(name => !found.has(name))
}

const boardQueries = new Map<RecordKind, (db: Db, parameters: { id: string }) => Promise<{ board_id: string }[]>>()

/** Makes the query for the board of a record. */
function boardQueryOf(kind: RecordKind) {
  const cached = boardQueries.get(kind)
  if (cached !== undefined) return cached
  const query = hot<{ id: string }, { board_id: string }>(
    (_, param) =>
      sql<{
        board_id: string
      }>`select r.board_id from ${kind.rows ?? sql.table(kind.table)} r where r.id = ${param('id')}`,
  )
  boardQueries.set(kind, query)
  return query
}

/**
 * The board that the path of a call is about, regardless of who sees it: what a unit of work locks. Undefined for a
 * path without a record, or with one that does not exist.
 */
export async function boardOfPath(
  db: Db,
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const board = boardInPath(operation, params)
  const { primary } = planOf(operation)
  if (board !== undefined || primary === null) return board
  const [found] = await boardQueryOf(primary.kind)(db, { id: String(params[primary.param]) })
  return found?.board_id
}

/** The board that a path itself names, without looking up its records; undefined if it names none. */
export function boardInPath(operation: AnyOperation, params: Readonly<Record<string, unknown>>): string | undefined {
  const { board } = planOf(operation)
  return board === null ? undefined : String(params[board])
}

/** The records that a call's path addresses; they exist and are visible. */
export interface Address {
  /**
   * The record that the operation is about: the first one in the path after the board, otherwise the board; null if the
   * path has neither.
   */
  readonly target: AddressedRecord | null
  readonly way: BoardReach | null
  /** Every record of the path, by parameter name. */
  readonly records: Readonly<Record<string, AddressedRecord>>
}

/**
 * Finds the records that the path of a call addresses, and the caller's way to their board.
 * @throws DomainError NOT_FOUND when one does not exist, is not on the path's board or is not visible
 */
export async function resolveAddress(
  db: Db,
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
  finds: Finds,
): Promise<Address> {
  const plan = planOf(operation)
  const records: Record<string, AddressedRecord> = {}
  let target: ReachedRecord | null = null
  const seek = async ({ param, kind }: RecordParameter) => {
    records[param] = (await finds.record(kind, String(params[param]))).record
  }
  if (plan.board !== null) {
    target = await finds.board(String(params[plan.board]))
    records[plan.board] = target.record
  }
  for (const sought of plan.before) await seek(sought)
  if (plan.primary !== null) {
    const boardId = target?.record.board_id
    const { param, kind } = plan.primary
    target = await finds.record(kind, String(params[param]))
    if (boardId !== undefined && target.record.board_id !== boardId) throw notFound(kind.type, target.record.id)
    records[param] = target.record
  }
  for (const sought of plan.after) await seek(sought)
  for (const { param, part } of plan.parts) {
    const query = partExists.get(part) ?? partQuery(part)
    partExists.set(part, query)
    const { id: owner, board_id: board } = target?.record ?? { id: '', board_id: '' }
    const rows = await query(db, { id: String(params[param]), owner, board })
    if (rows.length === 0) throw notFound(part.type, String(params[param]))
  }
  return { target: target?.record ?? null, way: target?.way ?? null, records }
}
