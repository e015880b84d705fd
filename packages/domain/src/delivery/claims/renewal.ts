import { dialect, type Param } from '@specboard/storage'
import type { Unit } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/events.ts'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { ClaimsTable } from '../../schema/tables.ts'

type ClaimTimes = Pick<ClaimsTable, 'card_id' | 'renewed_at' | 'expires_at'>

type OfAgent = { agent: string; now: string }

/** The active claims of an agent that were not renewed just now. */
const dueClaims = <Asked extends OfAgent>(db: Db, param: Param<Asked>) =>
  db
    .selectFrom('claims')
    .select(['card_id', 'renewed_at', 'expires_at'])
    .where('agent_id', '=', param('agent'))
    .where('expires_at', '>', param('now'))
    .where('renewed_at', '<', param('now'))

const heldOnCard = hot<OfAgent & { card: string }, ClaimTimes>((db, param) =>
  dueClaims(db, param).where('card_id', '=', param('card')),
)

const heldOnCards = hot<OfAgent & { board: string; cards: string }, ClaimTimes>((db, param) =>
  dueClaims(db, param)
    .where(eb => dialect.inList(eb.ref('card_id'), param('cards')))
    .where(eb => dialect.onBoard(eb.ref('board_id'), param('board'))),
)

const renew = hot<{ card: string; agent: string; now: string; until: string }, never>((db, param) =>
  db
    .updateTable('claims')
    .set({ renewed_at: param('now'), expires_at: param('until') })
    .where('card_id', '=', param('card'))
    .where('agent_id', '=', param('agent')),
)

/** The claims of an entry's author on the cards that it counts as work on. */
async function claimsWorkedOn(
  db: Db,
  now: string,
  { actorId: agent, boardId, cardId, workOn = [] }: RecordedEvent,
): Promise<readonly ClaimTimes[]> {
  if (cardId != null) return heldOnCard(db, { card: cardId, agent, now })
  if (workOn.length === 0) return []
  return heldOnCards(db, { board: boardId, cards: toJson([...new Set(workOn)]), agent, now })
}

/**
 * Renews the claim on each card that an entry counts as work on, by its original length: every write of the holder to
 * the card, its parts or its scenarios does (crew 5.3).
 */
export async function renewByWork(db: Db, { now }: Pick<Unit, 'now'>, entry: RecordedEvent): Promise<void> {
  for (const { card_id, renewed_at, expires_at } of await claimsWorkedOn(db, now, entry)) {
    const until = new Date(Date.parse(now) + Date.parse(expires_at) - Date.parse(renewed_at)).toISOString()
    await renew(db, { card: card_id, agent: entry.actorId, now, until })
  }
}
