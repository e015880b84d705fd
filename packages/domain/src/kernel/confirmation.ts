import { createHash } from 'node:crypto'
import { type AnyOperation, pathNames } from '@specboard/contract'
import { sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import type { Schema } from '../schema/tables.ts'
import type { Context } from './context.ts'
import type { AnyInput } from './implement.ts'
import { namesOf } from './names.ts'

/** What the person at a client was asked about a call, and agreed to (people 4). */
export interface Confirmation {
  /**
   * The state of the record when it was shown; undefined before the question, `anyMark` where it was compared for a run
   * of calls.
   */
  readonly mark: string | undefined
  /** The single-use token that permits the call; undefined where a run of calls has already used it. */
  readonly use?: { readonly hash: string; readonly expiresAt: string } | undefined
  /** Whether the call is only rehearsed: it stops with what would be asked, and writes nothing. */
  readonly isRehearsal?: true | undefined
}

/** The mark of a call in a run whose records were compared before its first call. */
export const anyMark = 'any'

/** The subject of a confirmation: the addressed record, and what is removed or archived along with it. */
export interface Subject {
  readonly kind: string
  /** Its reference, or its id if it has none. */
  readonly ref: string
  readonly title: string
  /** The number of parts affected along with it, by plural noun. */
  readonly parts: Readonly<Record<string, number>>
  /** Changes when the record, or the number of affected parts, changes. */
  readonly mark: string
}

/**
 * Thrown by a call that would succeed, but needs confirmation by the person at the client first; nothing of it is
 * written.
 */
export class ConfirmationWanted extends Error {
  readonly subject: Subject
  /** Whether the call needs confirmation at all; false for a rehearsed call that would run without. */
  readonly isNeeded: boolean

  constructor(subject: Subject, isNeeded = true) {
    super(`The person at the client must confirm this call (${subject.kind} ${subject.ref}).`)
    this.subject = subject
    this.isNeeded = isNeeded
  }
}

interface Kind {
  readonly kind: string
  readonly table: keyof Schema
  readonly title: string
  /** The columns that show whether the record has changed. */
  readonly marks: readonly string[]
  /** The affected parts: tables, each with the column that references the record. */
  readonly parts: Readonly<Record<string, readonly [table: string, column: string]>>
}

const revised = ['rev'] as const

/** The records whose calls need confirmation, by the parameter that names them. */
const kinds: Readonly<Record<string, Kind>> = {
  board_id: {
    kind: 'board',
    table: 'boards',
    title: 'name',
    marks: ['key', 'owner_id', 'updated_at'],
    parts: {
      ideations: ['ideations', 'board_id'],
      refinements: ['refinements', 'board_id'],
      specs: ['specs', 'board_id'],
      sprints: ['sprints', 'board_id'],
      cards: ['cards', 'board_id'],
    },
  },
  ideation_id: {
    kind: 'ideation',
    table: 'ideations',
    title: 'title',
    marks: revised,
    parts: { refinements: ['refinements', 'ideation_id'] },
  },
  refinement_id: { kind: 'refinement', table: 'refinements', title: 'title', marks: revised, parts: {} },
  spec_id: { kind: 'spec', table: 'specs', title: 'title', marks: revised, parts: { sprints: ['sprints', 'spec_id'] } },
  sprint_id: { kind: 'sprint', table: 'sprints', title: 'title', marks: revised, parts: {} },
  card_id: {
    kind: 'card',
    table: 'cards',
    title: 'title',
    marks: revised,
    parts: { comments: ['comments', 'card_id'], attachments: ['attachments', 'card_id'] },
  },
  agent_id: {
    kind: 'agent',
    table: 'agents',
    title: 'name',
    marks: ['is_active', 'preset_id', 'key_hash', 'deleted_at'],
    parts: { claims: ['claims', 'agent_id'] },
  },
  webhook_id: { kind: 'webhook', table: 'webhooks', title: 'url', marks: ['active', 'events'], parts: {} },
  session_id: { kind: 'graph session', table: 'kg_sessions', title: 'summary_text', marks: ['undone_at'], parts: {} },
}

/** The subject of a call that concerns something other than the record that its path ends with. */
const graph: Kind = { ...kinds.board_id!, kind: 'graph of board', parts: { nodes: ['kg_nodes', 'board_id'] } }

/** The record that a call would change, by the last parameter of its path that names one. */
function addressed(operation: AnyOperation, { params, query }: AnyInput): { readonly of: Kind; readonly id: string } {
  const values: Readonly<Record<string, unknown>> = { ...query, ...params }
  if (operation.name === 'delete_board_kg') return { of: graph, id: String(values.board_id) }
  // A kind that cannot be archived is refused before anybody is asked.
  const archived = kinds[`${values.entity_type}_id`]
  if (archived !== undefined) return { of: archived, id: String(values.entity_id) }
  const name = pathNames(operation.path).findLast(param => Object.hasOwn(kinds, param)) ?? 'board_id'
  return { of: kinds[name]!, id: String(values[name]) }
}

/** What a person is asked about a call, read before it runs. */
export async function subjectOf(
  { db }: Pick<Context, 'db'>,
  operation: AnyOperation,
  input: AnyInput,
): Promise<Subject> {
  const { of, id } = addressed(operation, input)
  const columns = sql.join([of.title, ...of.marks].map(column => sql.ref(column)))
  const found = await sql<
    Record<string, unknown>
  >`select ${columns} from ${sql.table(of.table)} where id = ${id}`.execute(db)
  const row = found.rows[0] ?? {}
  const parts: Record<string, number> = {}
  for (const [name, [table, column]] of Object.entries(of.parts)) {
    const counted = await sql<{ total: number | string }>`
      select count(*) as total from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(db)
    parts[name] = Number(counted.rows[0]!.total)
  }
  const title = String(row[of.title] ?? '')
  return {
    kind: of.kind,
    ref: (await namesOf(db, [id])).get(id) ?? id,
    title: of.title === 'url' ? hostOf(title) : title,
    parts,
    mark: createHash('sha256')
      .update(JSON.stringify([of.kind, id, row, parts]))
      .digest('base64url'),
  }
}

/** The host of an address whose path may be secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')

/** How many records a call archives, by kind. */
export const archivedBy = (answer: unknown): Readonly<Record<string, number>> =>
  ((answer ?? {}) as { archived_count?: Readonly<Record<string, number>> }).archived_count ?? {}

/**
 * Whether this call of its operation needs confirmation (people 4).
 * @param answer what the call would answer; undefined before it has run
 */
export function isConfirmed({ confirm }: AnyOperation, { query }: AnyInput, answer: unknown): boolean {
  if (confirm === undefined || confirm === true) return confirm === true
  if ('beside' in confirm) {
    const flags = query as Readonly<Record<string, unknown>>
    return flags.dry_run !== true && confirm.beside.every(name => Boolean(flags[name]))
  }
  return Object.values(archivedBy(answer)).reduce((sum, count) => sum + count, 0) > confirm.above
}

/**
 * Marks a confirmation as used, in the unit of work of its call.
 * @returns whether it was unused
 */
export async function useOnce(db: Db, use: NonNullable<Confirmation['use']>): Promise<boolean> {
  const marked = await db
    .insertInto('mcp_used_tickets')
    .values({ id_hash: use.hash, expires_at: use.expiresAt })
    .onConflict(conflict => conflict.column('id_hash').doNothing())
    .returning('id_hash')
    .executeTakeFirst()
  return marked !== undefined
}
