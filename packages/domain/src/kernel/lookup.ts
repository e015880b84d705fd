import type { Permission } from '@specboard/contract'
import { dialect, foldedText } from '@specboard/storage'
import { sql } from 'kysely'
import type { Schema } from '../schema/tables.ts'
import type { Context } from './context.ts'

/** The kinds of record that can be looked up by the start of their id or by words in their title. */
export type LookupType = 'board' | 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card' | 'attachment'

interface LookupKind {
  readonly table: keyof Schema
  readonly title: string
  readonly board: string
  readonly changed: string
  readonly permission: Permission
}

const kinds: Readonly<Record<LookupType, LookupKind>> = {
  board: { table: 'boards', title: 'name', board: 'id', changed: 'updated_at', permission: 'BOARDS_READ' },
  ideation: kind('ideations', 'IDEATIONS_READ'),
  refinement: kind('refinements', 'REFINEMENTS_READ'),
  spec: kind('specs', 'SPECS_READ'),
  sprint: kind('sprints', 'SPRINTS_READ'),
  card: kind('cards', 'CARDS_READ'),
  attachment: {
    table: 'attachments',
    title: 'original_filename',
    board: 'board_id',
    changed: 'created_at',
    permission: 'ATTACHMENTS_READ',
  },
}

function kind(table: keyof Schema, permission: Permission): LookupKind {
  return { table, title: 'title', board: 'board_id', changed: 'updated_at', permission }
}

/** A record found by a lookup. */
export interface LookedUp {
  readonly id: string
  readonly title: string
  /** The time of its last change. */
  readonly changed_at: string
}

/**
 * The records readable by the caller whose id starts with the text or whose title contains all of its words, latest
 * change first. An empty text finds all.
 */
export async function lookUp(
  ctx: Context,
  type: LookupType,
  text: string,
  { boardId, limit }: { readonly boardId?: string | undefined; readonly limit: number },
): Promise<{ readonly items: readonly LookedUp[]; readonly total: number }> {
  const { table, title, board, changed, permission } = kinds[type]
  const allowed = await ctx.boardsAllowing(permission)
  const boards = allowed.map(access => access.way!.boardId).filter(id => boardId === undefined || id === boardId)
  const words = foldedText(text).split(/\s+/).filter(Boolean)
  const inTitle = words.map(word => dialect.contains(dialect.folded(sql.ref(title)), word))
  const matches = sql`(lower(id) like ${`${escaped(text.trim().toLowerCase())}%`} escape '\\'${inTitle.length === 0 ? sql`` : sql` or (${sql.join(inTitle, sql` and `)})`})`
  const source = sql`from ${sql.table(table)} where ${dialect.inList(sql.ref(board), sql.val(JSON.stringify(boards)))} and ${matches}`
  const { rows } =
    await sql<LookedUp>`select id, ${sql.ref(title)} as title, ${sql.ref(changed)} as changed_at ${source}
    order by ${sql.ref(changed)} desc, id desc limit ${limit}`.execute(ctx.db)
  const counted = await sql<{ total: number }>`select count(*) as total ${source}`.execute(ctx.db)
  return { items: rows, total: Number(counted.rows[0]!.total) }
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')
