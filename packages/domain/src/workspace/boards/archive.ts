import type { features, Permission } from '@specboard/contract'
import type { AddressedRecord } from '../../kernel/access/records.ts'
import { isRootType, type RootType, rootTypes } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { hot } from '../../schema/hot.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { type ChangedMember, type MemberKind, memberKinds, setArchived, treeOf } from './tree.ts'

type Boards = typeof features.boards
type Counts = Record<MemberKind, number>

/** Archives a record with everything below it; already archived records stay as they are (access 6). */
export const archiveRecord: Implementation<Boards['archive_record']> = async ({ params }, ctx) => {
  const root = await rootOf(ctx, params, 'BOARDS_ARCHIVE')
  if (root.type === 'spec') await refuseStanding(ctx, root.id)
  return { success: true, archived_count: await setTreeArchived(ctx, root, true) }
}

/** Restores a record with everything below it, including records that were archived separately (access 6). */
export const restoreRecord: Implementation<Boards['restore_record']> = async ({ params }, ctx) => {
  const root = await rootOf(ctx, params, 'BOARDS_RESTORE')
  return { success: true, restored_count: await setTreeArchived(ctx, root, false) }
}

const isStanding = hot<{ id: string }, { id: string }>((db, param) =>
  db.selectFrom('specs').select('id').where('id', '=', param('id')).where('standing', '=', 1),
)

/**
 * Refuses to archive the spec of small changes directly (crew 6.1).
 * @throws DomainError INVALID_STATE
 */
async function refuseStanding({ db }: Context, id: string): Promise<void> {
  if ((await isStanding(db, { id })).length > 0)
    throw blocked(
      'INVALID_STATE',
      'This spec collects the small changes of the board and stays open. Archive its cards.',
      {
        status: 'standing',
      },
    )
}

interface Root extends AddressedRecord {
  readonly type: RootType
}

/**
 * The record that an archive or restore addresses, checked in the same order as in every operation.
 * @throws DomainError NOT_FOUND when it is not on the board; FORBIDDEN; VALIDATION_ERROR for an unknown entity type
 */
async function rootOf(
  ctx: Context,
  { entity_type, entity_id }: { readonly entity_type: string; readonly entity_id: string },
  permission: Permission,
): Promise<Root> {
  if (!isRootType(entity_type)) {
    ctx.require(permission)
    throw invalid('entity_type', `entity_type must be one of ${rootTypes.join(', ')}, not "${entity_type}".`, {
      allowed: rootTypes,
    })
  }
  const { record } = await ctx.reach(entity_type, entity_id)
  if (record.board_id !== ctx.boardId) throw notFound(entity_type, entity_id)
  ctx.require(permission)
  return { ...record, type: entity_type }
}

/** Archives or restores the tree of a record; returns the number of changed members, by kind. */
async function setTreeArchived(ctx: Context, root: Root, archived: boolean): Promise<Counts> {
  const tree = await treeOf(ctx.db, root)
  const changed = {} as Record<MemberKind, ChangedMember[]>
  for (const kind of memberKinds)
    changed[kind] = await setArchived(ctx.db, root.board_id, kind, tree[kind], archived, ctx.now())
  const counts = Object.fromEntries(memberKinds.map(kind => [kind, changed[kind].length])) as Counts
  if (memberKinds.some(kind => counts[kind] > 0)) await recordChange(ctx, root, changed, counts, archived)
  return counts
}

/** Records an activity entry for the call, a history entry per planning record, and an activity entry per card. */
async function recordChange(
  ctx: Context,
  root: Root,
  changed: Readonly<Record<MemberKind, readonly ChangedMember[]>>,
  counts: Counts,
  archived: boolean,
): Promise<void> {
  const action = archived ? 'archived' : 'restored'
  const history = (version: number | null) => ({
    action,
    changes: [{ field: 'archived', old: !archived, new: archived }],
    summary: archived ? 'Archived' : 'Restored from the archive',
    version,
  })
  const rootMember = changed[`${root.type}s`].find(member => member.id === root.id)
  await ctx.record({
    boardId: ctx.boardId,
    entity: root,
    activity: {
      action: `${root.type}_${action}`,
      details: { entity_id: root.id, title: await titleOf(ctx, root), counts },
    },
    ...(rootMember !== undefined && { history: history(rootMember.version) }),
  })
  const entries = [
    ...(['ideations', 'refinements', 'specs', 'sprints'] as const).flatMap(kind =>
      changed[kind]
        .filter(({ id }) => id !== root.id)
        .map(({ id, version }) => ({ entity: { type: kind.slice(0, -1), id }, history: history(version) })),
    ),
    ...changed.cards.map(({ id }) => ({
      entity: { type: 'card', id },
      cardId: id,
      activity: { action: `card_${action}`, details: { root_type: root.type, root_id: root.id } },
    })),
  ]
  await inPieces(ctx.db, entries, async piece => {
    for (const entry of piece) await ctx.record({ boardId: ctx.boardId, ...entry })
  })
}

async function titleOf(ctx: Context, { type, id }: Root): Promise<string> {
  const { title } = await ctx.db.selectFrom(`${type}s`).select('title').where('id', '=', id).executeTakeFirstOrThrow()
  return title
}
