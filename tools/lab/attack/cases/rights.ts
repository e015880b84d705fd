import { sentSlowly } from '../../../../apps/cli/test/support/slow-request.ts'
import type { Attack } from '../attack.ts'
import { type ReceivedAnswer, send } from '../send.ts'
import type { Target } from '../target.ts'

/** What happens to a guest while its call is under way. */
type Change = (target: Target, guest: { readonly id: string; readonly shareId: string }) => Promise<unknown>

const changes: Readonly<Record<string, readonly [change: Change, refusal: number]>> = {
  'switched off': [({ owner }, { id }) => owner.updateAgent({ agent_id: id, is_active: false }), 401],
  'given a new key': [({ owner }, { id }) => owner.regenerateAgentKey({ agent_id: id }), 401],
  deleted: [({ owner }, { id }) => owner.deleteAgent({ agent_id: id }), 401],
  narrowed: [
    ({ owner }, { id }) =>
      owner.updateAgent({ agent_id: id, permission_flags: { IDEATIONS_CREATE: false, BOARDS_READ: false } }),
    403,
  ],
  'taken off the board': [
    ({ owner, boardId }, { shareId }) => owner.deleteBoardShare({ board_id: boardId, share_id: shareId }),
    404,
  ],
}

async function guestOf({ owner, boardId }: Target) {
  const agent = await owner.createAgent({ name: 'guest' })
  const share = await owner.createBoardShare({ board_id: boardId, user_id: agent.id, permission: 'editor' })
  return { id: agent.id, shareId: share.id, key: agent.api_key! }
}

async function withSlowBody(target: Target, change: Change): Promise<ReceivedAnswer> {
  const guest = await guestOf(target)
  const answer = await sentSlowly(
    {
      method: 'POST',
      url: `${target.url}/api/v1/boards/${target.boardId}/ideations`,
      headers: { authorization: `Bearer ${guest.key}`, 'content-type': 'application/json' },
      body: Buffer.from('{"title":"By a guest"}'),
    },
    async () => void (await change(target, guest)),
  )
  return { status: answer.status, text: JSON.stringify(answer.body), length: 0 }
}

async function whileWaiting(target: Target, change: Change): Promise<ReceivedAnswer> {
  const guest = await guestOf(target)
  const { last_sequence: after } = await target.owner.listBoardEvents({
    board_id: target.boardId,
    order: 'desc',
    limit: 1,
  })
  const path = `/api/v1/boards/${target.boardId}/events?after=${after}&wait_ms=5000`
  const waiting = send(target, 'GET', path, { key: guest.key })
  // Once another call is answered, the wait has begun.
  await send(target, 'GET', '/api/v1/boards', { key: guest.key })
  await change(target, guest)
  await target.owner.createIdeation({ board_id: target.boardId, title: 'Not for guests', description: null })
  return waiting
}

/** Rights that end while a call is under way (walls 4). */
export const rights: readonly Attack[] = Object.entries(changes).map(
  ([name, [change, refusal]]): Attack => ({
    name: `a guest that is ${name} meanwhile`,
    answers: { editor: [refusal] },
    variations: {
      'a body that comes slowly': target => withSlowBody(target, change),
      'a wait for events': target => whileWaiting(target, change),
    },
  }),
)
