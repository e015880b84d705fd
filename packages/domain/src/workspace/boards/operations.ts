import { CardStatus, defaultBoardSettings, features } from '@specboard/contract'
import { readColumnCards } from '../../delivery/cards/columns.ts'
import { createCard } from '../../delivery/cards/create.ts'
import { checksWarning } from '../../delivery/git/change-gates.ts'
import { recordingAllOverlaps } from '../../delivery/scopes/overlaps.ts'
import { loosened, loosenedEvidence, personal } from '../../kernel/approval-settings.ts'
import { recordAudit } from '../../kernel/audit.ts'
import { mergedSettings, type Settings } from '../../kernel/board-settings.ts'
import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { type Implementation, implement, type WholeRead, type WholeWrite } from '../../kernel/implement.ts'
import { readNews } from '../../kernel/news.ts'
import { PersonRequired } from '../../kernel/person-required.ts'
import { toJson } from '../../lib/json.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { archiveRecord, restoreRecord } from './archive.ts'
import { changeKey, derivedKey, takeKey } from './keys.ts'
import { refuseDeletedOwner } from './owner.ts'
import { refuseBoardBeyondQuota } from './quota.ts'
import { removeBoard } from './removal.ts'
import { createBoardShare, deleteBoardShare, listBoardShares, updateBoardShare } from './shares.ts'
import { listBoards, readBoard, readWholeBoard } from './store.ts'

type Boards = typeof features.boards

const createBoard: Implementation<Boards['create_board']> = async ({ body }, ctx) => {
  await refuseDeletedOwner(ctx)
  await refuseBoardBeyondQuota(ctx)
  const key = body.key ?? (await derivedKey(ctx.db, body.name))
  const id = ctx.newId()
  const now = ctx.now()
  await takeKey(ctx.db, key, id)
  await insertRow(ctx.db, 'boards', {
    id,
    key,
    name: body.name,
    description: body.description,
    owner_id: ctx.caller.id,
    settings: toJson(mergedSettings(defaultBoardSettings, body.settings ?? {})),
    seq: 0,
    last_number: 0,
    created_at: now,
    updated_at: now,
  })
  await ctx.record({
    boardId: id,
    entity: { type: 'board', id },
    activity: { action: 'board_created', details: { name: body.name } },
  })
  return { ...(await readBoard(ctx.db, id)), cards: [], agents: [] }
}

const listBoardsOfCaller: Implementation<Boards['list_boards']> = async ({ query }, ctx) => {
  const { view, ...paging } = query
  const ways = (await ctx.boardsAllowing('BOARDS_READ')).flatMap(({ way }) => way ?? [])
  return listBoards(
    ctx.db,
    ways.filter(({ owner }) => view === 'all' || owner === (view === 'my')),
    paging,
  )
}

/**
 * Records that approvals no longer require a person, or that less evidence is required; if a person approves, only a
 * present one may do that (people 1.3, evidence 8).
 * @throws DomainError PERSON_REQUIRED
 */
async function loosen(ctx: Context, { id, name, settings }: Awaited<ReturnType<typeof readBoard>>, after: Settings) {
  const approvals = loosened(settings, after)
  const evidence = loosenedEvidence(settings, after)
  const guarded = [...approvals, ...(personal(settings).length > 0 ? evidence : [])]
  const [gate] = guarded
  if (gate !== undefined && !ctx.caller.present) {
    const permissions = ['BOARDS_UPDATE'] as const
    throw new PersonRequired({
      needs: 'present',
      gate,
      action: `the loosening of ${guarded.join(', ')}`,
      boardId: id,
      permissions,
    })
  }
  for (const [action, names] of [
    ['approval_loosened', approvals],
    ['evidence_loosened', evidence],
  ] as const) {
    const details = Object.fromEntries(names.map(setting => [setting, [settings[setting], after[setting]]]))
    if (names.length > 0) await recordAudit(ctx, action, { type: 'board', id, name }, names, details)
  }
}

/** The settings that overlaps depend on. */
const comparing: ReadonlySet<string> = new Set(['settings.overlap', 'settings.shared_paths'])

const getBoard: WholeRead<Boards['get_board']> = {
  run: (_, ctx) => {
    readNews(ctx)
    return readWholeBoard(ctx)
  },
  own: (_, ctx) => readBoard(ctx.db, ctx.boardId),
}

const updateBoard: WholeWrite<Boards['update_board']>['run'] = async ({ body }, ctx) => {
  const before = await readBoard(ctx.db, ctx.boardId)
  const settings = mergedSettings(before.settings, body.settings ?? {})
  await loosen(ctx, before, settings)
  if (settings.require_green_checks && !before.settings.require_green_checks) {
    const warning = await checksWarning(ctx.db, ctx.boardId)
    if (warning !== undefined) ctx.warnings.push(warning)
  }
  const texts = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description ?? '' }),
    ...(body.key !== undefined && { key: body.key }),
  }
  if (body.key !== undefined && body.key !== before.key) await changeKey(ctx.db, before, body.key)
  const changes = [
    ...changedFields({ ...before }, texts),
    ...changedFields(before.settings, settings).map(change => ({ ...change, field: `settings.${change.field}` })),
  ].sort((a, b) => (a.field < b.field ? -1 : 1))
  if (changes.length > 0) {
    const writes = () =>
      updateRow(ctx.db, 'boards', ctx.boardId, { ...texts, settings: toJson(settings), updated_at: ctx.now() })
    await (changes.some(({ field }) => comparing.has(field))
      ? recordingAllOverlaps(ctx, ctx.boardId, writes)
      : writes())
    await ctx.record({
      boardId: ctx.boardId,
      entity: { type: 'board', id: ctx.boardId },
      activity: {
        action: 'board_updated',
        details: {
          fields: changes.map(change => change.field),
          changes: Object.fromEntries(changes.map(change => [change.field, [change.old, change.new]])),
        },
      },
    })
  }
}

const deleteBoard: Implementation<Boards['delete_board']> = async (_, ctx) => {
  await removeBoard(ctx, ctx.boardId)
}

/**
 * get_board_columns: whole columns, or with `limit` or `offset` a page of each and the number of its cards (crew 1.7).
 */
const getBoardColumns: Implementation<Boards['get_board_columns']> = async ({ query }, ctx) => {
  const { include_archived, status, limit, offset } = query
  const byStatus = Map.groupBy(await readColumnCards(ctx, include_archived), card => card.status)
  const isPaged = limit !== undefined || offset !== undefined
  const statuses = CardStatus.options.filter(name => status === undefined || status.includes(name))
  const columns = statuses.map(name => {
    const cards = byStatus.get(name) ?? []
    const from = offset ?? 0
    return [name, isPaged ? { total: cards.length, cards: cards.slice(from, limit && from + limit) } : cards] as const
  })
  return { board_id: ctx.boardId, columns: Object.fromEntries(columns) }
}

export const boardOperations = implement(features.boards, {
  create_board: createBoard,
  list_boards: listBoardsOfCaller,
  get_board: getBoard,
  update_board: { run: updateBoard, answer: (_, ctx) => readWholeBoard(ctx) },
  delete_board: deleteBoard,
  create_card: createCard,
  get_board_columns: getBoardColumns,
  archive_record: archiveRecord,
  restore_record: restoreRecord,
  create_board_share: createBoardShare,
  list_board_shares: listBoardShares,
  update_board_share: updateBoardShare,
  delete_board_share: deleteBoardShare,
})
