import type { AnyOperation, Permission } from '@specboard/contract'
import { sql } from 'kysely'
import { Access, type BoardReach, reaches } from '../../kernel/access/access.ts'
import { type BoardReachRow, wayColumns, wayOf, waysTo } from '../../kernel/access/records.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { hot } from '../../schema/hot.ts'
import { findGuideline, findLink, type GuidelineRecord } from './store.ts'

/** The boards on which a guideline is inline or linked, with an agent's ways to them. */
const places = hot<{ id: string; agent: string }, BoardReachRow>(
  (_, param) =>
    sql<BoardReachRow>`select ${wayColumns} from boards b ${waysTo(param('agent'))}
      where b.id in (select board_id from board_guidelines where guideline_id = ${param('id')}
        union all select board_id from guidelines where id = ${param('id')} and scope = 'inline')
      order by b.id`,
)

/** A guideline that the caller may read, with the ways that lead to it. */
interface ReadableGuideline {
  readonly guideline: GuidelineRecord
  readonly mine: boolean
  /** The visible boards on which it is inline or linked. */
  readonly ways: readonly BoardReach[]
}

async function reach(ctx: Context, id: string): Promise<ReadableGuideline> {
  const guideline = await findGuideline(ctx.db, id)
  if (guideline === undefined) throw notFound('guideline', id)
  const mine = guideline.owner_id === ctx.caller.id
  const rows = await places(ctx.db, { id, agent: ctx.caller.id })
  const ways = rows.map(row => wayOf(row, ctx.caller.id)).filter(reaches)
  if (!mine && ways.length === 0) throw notFound('guideline', id)
  return { guideline, mine, ways }
}

/**
 * A guideline, if the caller may read it: as its owner, or as an agent that sees a board on which it is inline or
 * linked (planning 2.2).
 * @throws DomainError NOT_FOUND
 */
export const readableGuideline = async (ctx: Context, id: string): Promise<GuidelineRecord> =>
  (await reach(ctx, id)).guideline

/**
 * Refuses an operation whose caller cannot see the guideline in its path. With a board in the path, the guideline must
 * be in force there. Otherwise the caller must be able to read it or, to change it, own it or the board of an inline
 * one. A guideline reached through boards needs the permission on one of them.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export async function checkGuideline(ctx: Context, id: string, operation: AnyOperation): Promise<void> {
  const board = ctx.records.board_id
  if (board !== undefined) {
    if (!(await isInForce(ctx, board.id, id))) throw notFound('guideline', id)
    return
  }
  const { guideline, mine, ways } = await reach(ctx, id)
  const inline = guideline.scope === 'inline'
  const changes = operation.method !== 'GET'
  if (changes && !mine && !(inline && ways.some(way => way.owner))) throw notFound('guideline', id)
  if (inline || !mine) requireOnOne(ctx, ways, operation.permission as Permission)
}

async function isInForce(ctx: Context, boardId: string, id: string): Promise<boolean> {
  if ((await findLink(ctx.db, boardId, id)) !== undefined) return true
  const guideline = await findGuideline(ctx.db, id)
  return guideline?.scope === 'inline' && guideline.board_id === boardId
}

function requireOnOne(ctx: Context, ways: readonly BoardReach[], permission: Permission): void {
  const [first, ...others] = ways.map(way => new Access(ctx.caller.base, way))
  if (first === undefined || others.some(access => access.allows(permission))) return
  first.require([permission])
}
