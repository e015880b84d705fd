import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { RootType } from '../../kernel/archived.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import type { Schema } from '../../schema/tables.ts'

/** The kinds of members of a tree, from the top down. */
export const memberKinds = ['ideations', 'refinements', 'specs', 'sprints', 'cards'] as const

/** A kind of members, with the name of its table. */
export type MemberKind = (typeof memberKinds)[number]

/** The ids of a tree's members, including archived ones, as JSON arrays. */
export type Tree = Readonly<Record<MemberKind, Json<string[]>>>

/**
 * The current tree of a record (access 6): an ideation with its refinements and the specs of both; specs with their
 * sprints, their cards, and the bugs that arose in these cards, even when the bugs are on another spec.
 */
export async function treeOf(db: Db, rootType: RootType, rootId: string): Promise<Tree> {
  const root = toJson([rootId])
  const none = toJson<string[]>([])
  const ideations = rootType === 'ideation' ? root : none
  const refinements = rootType === 'refinement' ? root : await idsOf(db, 'refinements', { ideation_id: ideations })
  const specs =
    rootType === 'spec' ? root : await idsOf(db, 'specs', { ideation_id: ideations, refinement_id: refinements })
  const sprints = await idsOf(db, 'sprints', { spec_id: specs })
  const cards = await idsOf(db, 'cards', { spec_id: specs })
  const bugs = await idsOf(db, 'cards', { origin_task_id: cards }, sql`card_type = 'bug'`)
  const ids = [...new Set([...parseJson(cards), ...parseJson(bugs)])]
  return { ideations, refinements, specs, sprints, cards: toJson(ids) }
}

/**
 * The ids of the rows in which one of the columns has one of its values, as a JSON array.
 * @param also a further condition on the rows
 */
async function idsOf<Table extends keyof Schema>(
  db: Db,
  table: Table,
  among: Readonly<Partial<Record<keyof Schema[Table] & string, string>>>,
  also = sql`1 = 1`,
): Promise<Json<string[]>> {
  const conditions = Object.entries<string>(among as Record<string, string>).map(
    ([column, values]) => sql`${dialect.inList(sql.ref<string | null>(column), values)}`,
  )
  const { rows } = await sql<{
    id: string
  }>`select id from ${sql.table(table)} where (${sql.join(conditions, sql` or `)}) and ${also}`.execute(db)
  return toJson(rows.map(row => row.id))
}

/** A member that an archive or restore changed. */
export interface ChangedMember {
  readonly id: string
  /** Null for cards, which have no version. */
  readonly version: number | null
}

/**
 * Archives the members of one kind that are not archived, or restores the archived ones; returns the changed ones,
 * oldest first. Versions, positions and links stay as they are.
 */
export async function setArchived(
  db: Db,
  kind: MemberKind,
  ids: string,
  archived: boolean,
  now: string,
): Promise<ChangedMember[]> {
  const change = archived
    ? sql`pre_archive_status = status, archived = 1`
    : sql`status = coalesce(pre_archive_status, status), pre_archive_status = null, archived = 0`
  const version = kind === 'cards' ? sql`null as version` : sql`version`
  const { rows } = await sql<ChangedMember>`update ${sql.table(kind)} set ${change}, updated_at = ${now}
    where ${dialect.inList(sql.ref<string | null>('id'), ids)} and archived = ${archived ? 0 : 1}
    returning id, ${version}`.execute(db)
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
