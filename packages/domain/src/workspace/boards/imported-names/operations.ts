/**
 * Imported names in the records of a board that belong to nobody here, and the decisions to merge them or to keep them
 * apart (people 1.6).
 */
import type { features, ImportedName } from '@specboard/contract'
import type { z } from 'zod'
import { type Agent, agentsOfBoard } from '../../../delivery/git/authors.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Implementation } from '../../../kernel/implement.ts'
import { pageOf } from '../../../kernel/page.ts'
import { shownName } from '../../../lib/external-names.ts'
import { byCodePoint } from '../../../lib/text-order.ts'
import { turning } from '../../../schema/in-pieces.ts'
import { insertRow } from '../../../schema/rows.ts'
import type { ImportedNamesTable } from '../../../schema/tables.ts'
import { twinFinder } from './rules.ts'
import {
  agentsById,
  decisionsOn,
  followInto,
  importedNamesOn,
  type NameCount,
  type NamedAgent,
  removeDecision,
} from './store.ts'

type Board = typeof features.board
type Name = z.output<typeof ImportedName>

/** Somebody in the form used in answers; for a mere name, the kind is null. */
const somebody = (
  id: string,
  agent: { readonly name: string; readonly kind: NamedAgent['kind'] | null } | undefined,
) => ({
  id,
  name: agent?.name ?? shownName(id),
  kind: agent?.kind ?? null,
})

/** The names in the records of a board, and the agents that they may mean. */
interface NamesAndMembers {
  readonly names: readonly NameCount[]
  readonly members: readonly Agent[]
}

/** The imported names of a board, by name, with the current decisions about them. */
async function namesOn({ db, boardId }: Context, { names, members }: NamesAndMembers): Promise<Name[]> {
  const decisions = await decisionsOn(db, boardId)
  const goals = [...decisions.values()].flatMap(({ merged_into: into }) => into ?? [])
  const agents = await agentsById(db, goals)
  const open = names.filter(({ id }) => !decisions.has(id))
  const twinsOf = twinFinder([
    ...members.filter(({ is_active }) => is_active === 1),
    ...open.map(({ id }) => ({ id, name: shownName(id), handle: null, kind: null })),
  ])
  return names
    .map(({ id, assigned, authored }): Name => {
      const decision = decisions.get(id)
      const into = decision?.merged_into ?? null
      return {
        id,
        name: shownName(id),
        assigned,
        authored,
        merged_into: into === null ? null : somebody(into, agents.get(into)),
        kept_apart: decision !== undefined && into === null,
        twins: decision === undefined ? twinsOf(id).map(twin => somebody(twin.id, twin)) : [],
        decided_by: decision?.decided_by ?? null,
        decided_at: decision?.decided_at ?? null,
      }
    })
    .toSorted((one, other) => byCodePoint(one.name, other.name) || byCodePoint(one.id, other.id))
}

/** list_imported_names (people 1.6). */
export const listImportedNames: Implementation<Board['list_imported_names']> = async ({ query }, ctx) => {
  const { db, boardId } = ctx
  const names = await importedNamesOn(db, boardId)
  return pageOf(await namesOn(ctx, { names, members: await agentsOfBoard(db, { board: boardId }) }), query)
}

/**
 * Checks what a name may be merged into: a principal that can act here, or another name that is not merged into
 * anybody.
 * @throws DomainError VALIDATION_ERROR
 */
function checkGoal(name: string, into: string, names: readonly Name[], members: readonly Agent[]): void {
  if (into === name) throw invalid('merged_into', 'A name cannot be merged into itself.')
  const other = names.find(({ id }) => id === into)
  if (other?.merged_into != null)
    throw invalid('merged_into', `${into} is itself merged into ${other.merged_into.name}: name that one.`)
  if (other !== undefined) return
  if (!members.some(agent => agent.id === into && agent.is_active === 1))
    throw invalid(
      'merged_into',
      `${into} is neither an active agent that sees this board nor a name in its records. list_board_members and list_imported_names list both.`,
    )
}

/** put_imported_name (people 1.6). */
export const putImportedName: Implementation<Board['put_imported_name']> = async ({ body }, ctx) => {
  const { id, merged_into: into, kept_apart: isApart } = body
  const members = await agentsOfBoard(ctx.db, { board: ctx.boardId })
  const found = { names: await importedNamesOn(ctx.db, ctx.boardId, turning(ctx.db, 1)), members }
  const names = await namesOn(ctx, found)
  const before = names.find(name => name.id === id)
  if (before === undefined)
    throw invalid('id', `No record of this board names ${id}, or it is an agent. list_imported_names lists the names.`)
  if (isApart && into !== null)
    throw invalid('kept_apart', 'A name is either merged or kept apart: send one of the two.')
  if (before.kept_apart === isApart && (before.merged_into?.id ?? null) === into) return before
  if (into !== null) checkGoal(id, into, names, members)
  await decide(ctx, id, into, isApart)
  const after = (await namesOn(ctx, found)).find(name => name.id === id)!
  await ctx.record({
    boardId: ctx.boardId,
    entity: { type: 'board', id: ctx.boardId },
    activity: {
      action: into !== null ? 'name_merged' : isApart ? 'name_kept_apart' : 'name_reopened',
      details: { name: before.name, into: (after.merged_into ?? before.merged_into)?.name ?? null },
    },
  })
  return after
}

async function decide(ctx: Context, name: string, into: string | null, isApart: boolean): Promise<void> {
  await removeDecision(ctx.db, ctx.boardId, name)
  if (into === null && !isApart) return
  if (into !== null) await followInto(ctx.db, ctx.boardId, name, into)
  const row: ImportedNamesTable = {
    board_id: ctx.boardId,
    name,
    merged_into: into,
    decided_by: ctx.caller.id,
    decided_at: ctx.now(),
  }
  await insertRow(ctx.db, 'imported_names', row)
}
