import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { RootType } from '../../kernel/archived.ts'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'

/** The kinds of members of a tree, from the top down. */
export const memberKinds = ['ideations', 'refinements', 'specs', 'sprints', 'cards'] as const

/** A kind of members, with the name of its table. */
export type MemberKind = (typeof memberKinds)[number]

/** The record at the top of a tree. */
export interface Root extends OnBoard {
  readonly type: RootType
}

/** The ids of a tree's members, including archived ones. */
export type Tree = Readonly<Record<MemberKind, readonly string[]>>

/**
 * The current tree of a record (access 6): an ideation with its refinements and the specs of both; specs with their
 * sprints, their cards, and the bugs that arose in these cards, even when the bugs are on another spec.
 */
export async function treeOf(db: Db, { type, id, board_id }: Root): Promise<Tree> {
  const root = [id]
  const idsBy = idsOn(db, board_id)
  const ideations = type === 'ideation' ? root : []
  const refinements = type === 'refinement' ? root : await idsBy('refinements', sql.ref('ideation_id'), ideations)
  const specs =
    type === 'spec'
      ? root
      : union(
          await idsBy('specs', sql.ref('ideation_id'), ideations),
          await idsBy('specs', sql.ref('refinement_id'), refinements),
        )
  const sprints = await idsBy('sprints', sql.ref('spec_id'), specs)
  const cards = await idsBy('cards', sql.ref('spec_id'), specs)
  const bugs = await idsBy('cards', sql.ref('origin_task_id'), cards, sql`card_type = 'bug'`)
  return { ideations, refinements, specs, sprints, cards: union(cards, bugs) }
}

const union = (some: readonly string[], others: readonly string[]): string[] => [...new Set([...some, ...others])]

/**
 * Finds the ids of the rows on a board that reference one of some records.
 * @returns a function whose last parameter is a further condition on the rows
 */
const idsOn =
  (db: Db, board: string) =>
  async (
    table: MemberKind,
    column: RawBuilder<string | null>,
    records: readonly string[],
    also = sql`1 = 1`,
  ): Promise<string[]> => {
    const found = await inPieces(db, records, async piece => {
      const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
        where ${dialect.inList(column, toJson(piece))} and ${onBoard(table, board)} and ${also}`.execute(db)
      return rows.map(row => row.id)
    })
    return found.flat()
  }

/** A member that an archive or restore changed. */
export interface ChangedMember {
  readonly id: string
  /** Null for cards, which have no version. */
  readonly version: number | null
}

/**
 * Archives the members of one kind on a board that are not archived, or restores the archived ones; returns the changed ones,
 * oldest first. Versions, positions and links stay as they are.
 */
export async function setArchived(
  db: Db,
  board: string,
  kind: MemberKind,
  ids: readonly string[],
  archived: boolean,
  now: string,
): Promise<ChangedMember[]> {
  const change = archived
    ? sql`pre_archive_status = status, archived = 1`
    : sql`status = coalesce(pre_archive_status, status), pre_archive_status = null, archived = 0`
  const version = kind === 'cards' ? sql`null as version` : sql`version`
  const changed = await inPieces(db, ids, async piece => {
    const { rows } = await sql<ChangedMember>`update ${sql.table(kind)} set ${change}, updated_at = ${now}
      where ${dialect.inList(sql.ref<string | null>('id'), toJson(piece))} and ${onBoard(kind, board)} and archived = ${archived ? 0 : 1}
      returning id, ${version}`.execute(db)
    return rows
  })
  return changed.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
