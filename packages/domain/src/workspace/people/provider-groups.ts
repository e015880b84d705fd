/** What the groups of an account give its person: a preset, and shares that follow the groups (people 2.1). */
import { isOwner } from '../../kernel/access/managed.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { SharesTable } from '../../schema/tables.ts'
import { readAgent } from '../agents/store.ts'
import { followLent } from '../board-access/lent-ways.ts'
import { addShare, changeShare, findShare, removeShare } from '../board-access/shares.ts'
import { presetNamed } from '../presets/store.ts'
import { findOwner } from '../seed.ts'
import { type Account, type GroupGrants, givenBy, type Level } from './providers/rules.ts'
import type { ProviderSettings } from './providers/settings.ts'

/** The settings of a provider name a preset that does not exist, or no longer does. */
export class UnknownPreset extends Error {
  constructor(name: string) {
    super(`The settings of a provider name the preset "${name}", which is missing.`)
  }
}

/**
 * The preset in a provider's settings, as the `Local Owner` sees it.
 * @throws UnknownPreset if there is none: nobody must get more than intended
 */
export async function presetOf(db: Db, name: string): Promise<string> {
  const owner = await findOwner(db)
  const id = owner && (await presetNamed(db, name, owner.id))
  if (id !== undefined) return id
  throw new UnknownPreset(name)
}

const groupShares = hot<{ person: string; provider: string }, SharesTable>((db, param) =>
  db
    .selectFrom('group_shares')
    .innerJoin('shares', 'shares.id', 'group_shares.share_id')
    .selectAll('shares')
    .where('group_shares.person_id', '=', param('person'))
    .where('group_shares.provider', '=', param('provider')),
)

const boardByKey = hot<{ key: string }, { id: string; owner_id: string }>((db, param) =>
  db.selectFrom('boards').select(['id', 'owner_id']).where('key', '=', param('key')),
)

/**
 * Which sign-in of a person at a provider it is: the one that created the person, the first one of an existing person,
 * or a later one.
 */
type Turn = 'new' | 'first' | 'later'

/**
 * Gives the caller what the groups of its account give, and takes away what they no longer give. The `Local Owner` is
 * not affected by groups.
 */
export async function followGroups(
  ctx: Context,
  provider: ProviderSettings,
  account: Account,
  turn: Turn,
): Promise<void> {
  if (provider.group_presets.length === 0 || (turn === 'later' && provider.group_sync === 'first')) return
  const { id, name } = ctx.caller
  if (await isOwner(ctx.db, id)) return
  const grants = givenBy(provider, account)
  const fields = []
  const { preset_id } = await readAgent(ctx.db, id)
  const presetId = await presetOf(ctx.db, grants.preset)
  if (preset_id !== presetId) {
    await updateRow(ctx.db, 'agents', id, { preset_id: presetId })
    fields.push('preset_id')
  }
  if (await followBoards(ctx, provider.id, grants)) fields.push('shares')
  if (fields.length > 0 && turn !== 'new')
    await recordAudit(ctx, 'agent_updated', { type: 'agent', id, name }, fields, {
      provider: provider.id,
      groups: grants.groups,
    })
}

/** @returns whether a share changed */
async function followBoards(ctx: Context, provider: string, { boards }: GroupGrants): Promise<boolean> {
  const person = ctx.caller.id
  const boardGrants = new Map<string, { readonly level: Level; readonly owner: string }>()
  for (const [key, level] of boards) {
    const [board] = await boardByKey(ctx.db, { key })
    if (board !== undefined && board.owner_id !== person) boardGrants.set(board.id, { level, owner: board.owner_id })
  }
  const changed = new Set<string>()
  for (const share of await groupShares(ctx.db, { person, provider })) {
    const level = boardGrants.get(share.board_id)?.level
    boardGrants.delete(share.board_id)
    if (level === share.permission) continue
    changed.add(share.board_id)
    if (level === undefined) {
      await ctx.db.deleteFrom('group_shares').where('share_id', '=', share.id).execute()
      await removeShare(ctx, share)
    } else {
      await changeShare(ctx, share, level)
    }
  }
  for (const [board_id, { level, owner }] of boardGrants) {
    // Somebody else's share of the same board is left alone.
    if ((await findShare(ctx.db, board_id, person)) !== undefined) continue
    changed.add(board_id)
    const share = await addShare(ctx, { board_id, user_id: person, permission: level, shared_by: owner })
    await insertRow(ctx.db, 'group_shares', { share_id: share.id, person_id: person, provider })
  }
  for (const boardId of changed) await followLent(ctx, person, boardId)
  return changed.size > 0
}
