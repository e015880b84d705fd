import type { BoardMember, features, Permission } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import type { z } from 'zod'
import { allHolders, holdersAmong } from '../../kernel/access/holders.ts'
import type { Context } from '../../kernel/context.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import { BaseResolver } from '../../kernel/service/authenticate.ts'
import { shownName } from '../../lib/external-names.ts'
import { byCodePoint } from '../../lib/text-order.ts'
import { hot } from '../../schema/hot.ts'
import type { AgentsTable, GrantsTable, SharesTable } from '../../schema/tables.ts'
import { grantOf } from '../board-access/grants.ts'
import { decisionsOn, namedOnBoard } from './imported-names/store.ts'
import { shareOf } from './shares.ts'

type Member = z.output<typeof BoardMember>

interface OnBoard {
  board: string
}

const owner = hot<OnBoard, { owner_id: string }>((db, param) =>
  db.selectFrom('boards').select('owner_id').where('id', '=', param('board')),
)

const shares = hot<OnBoard, SharesTable>((db, param) =>
  db.selectFrom('shares').selectAll().where('board_id', '=', param('board')),
)

const grants = hot<OnBoard, GrantsTable>((db, param) =>
  db.selectFrom('grants').selectAll().where('board_id', '=', param('board')),
)

type AgentRow = Pick<AgentsTable, 'id' | 'name' | 'is_active' | 'deleted_at' | 'last_used_at'> & {
  kind: AgentsTable['kind'] | null
  handle: string | null
  preset_name: string | null
}

const agents = hot<{ ids: string }, AgentRow>((db, param) =>
  db
    .selectFrom('agents')
    .leftJoin('presets', 'presets.id', 'agents.preset_id')
    .select([
      'agents.id',
      'agents.name',
      'agents.kind',
      'agents.handle',
      'agents.is_active',
      'agents.deleted_at',
      'agents.last_used_at',
    ])
    .select('presets.name as preset_name')
    .where(eb => dialect.inList(eb.ref('agents.id'), param('ids'))),
)

/** Somebody who is only named: a person of another service, or a text that was entered as an assignee. */
const withoutAgent = (id: string): AgentRow => ({
  id,
  name: shownName(id),
  kind: null,
  handle: null,
  is_active: 0,
  deleted_at: null,
  last_used_at: null,
  preset_name: null,
})

/** The active members of the board that hold a permission on it, as in the 403 (access 2.3). */
async function idsHolding({ db, boardId }: Context, name: Permission): Promise<ReadonlySet<string>> {
  const bases = new BaseResolver()
  const found = await allHolders(offset => holdersAmong(db, bases, boardId, [name], offset))
  return new Set(found.map(({ id }) => id))
}

/** list_board_members (board 5). Permissions that a grant removes are shown to those who may grant. */
export const listBoardMembers: Implementation<typeof features.board.list_board_members> = async ({ query }, ctx) => {
  const { db, boardId: board } = ctx
  const [{ owner_id } = { owner_id: '' }] = await owner(db, { board })
  const shareBy = new Map((await shares(db, { board })).map(share => [share.user_id, share]))
  const grantBy = new Map((await grants(db, { board })).map(grant => [grant.agent_id, grant]))
  const others = query.all ? await namedOnBoard(db, board) : []
  const decisions = query.all ? await decisionsOn(db, board) : new Map<string, never>()
  const selection = query.ids === undefined ? null : new Set(query.ids)
  const holding = query.may === undefined ? null : await idsHolding(ctx, query.may)
  const ids = [...new Set([owner_id, ...shareBy.keys(), ...grantBy.keys(), ...others])].filter(
    id => (selection?.has(id) ?? true) && (holding?.has(id) ?? true),
  )
  const found = new Map((await agents(db, { ids: JSON.stringify(ids) })).map(agent => [agent.id, agent]))
  const mayGrant = ctx.access.allows('AGENTS_GRANT')
  const members = ids.map((id): Member => {
    const { name, kind, handle, is_active, deleted_at, last_used_at, preset_name } = found.get(id) ?? withoutAgent(id)
    const share = shareBy.get(id)
    const grant = grantBy.get(id)
    const view = grant === undefined ? null : grantOf(grant)
    const mergedInto = decisions.get(id)?.merged_into ?? null
    return {
      id,
      name,
      kind,
      handle,
      is_active: is_active === 1,
      deleted: deleted_at !== null,
      access: id === owner_id ? 'owner' : share !== undefined ? 'share' : grant !== undefined ? 'grant' : 'none',
      preset_name,
      share: share === undefined ? null : shareOf(share),
      grant: view === null || mayGrant ? view : { ...view, permission_overrides: null },
      last_used_at,
      ...(mergedInto !== null && { merged_into: mergedInto }),
    }
  })
  return pageOf(
    members.sort((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.id, b.id)),
    query,
  )
}
