import type { Checkpoint, CheckpointInput } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { toJson } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { CardRecord } from '../card-record/record.ts'
import { recordOnCard } from '../card-record/write.ts'

/** The progress of work on a card, for whoever continues it (crew 5.4). */
export type CheckpointRecord = z.output<typeof Checkpoint>

/** The columns of a card without a checkpoint. */
export const noCheckpoint = { checkpoint: null } as const

/** The number of a card's checkpoints whose text is kept in its activity. */
const checkpointLimit = 20

const trimEarlier = hot<OnBoard & { details: string; kept: number }, never>(
  (
    _,
    param,
  ) => sql<never>`update events set details = ${param('details')} where ${onBoard('events', param('board_id'))} and id in (
      select e.id from events e
      where e.card_id = ${param('id')} and ${onBoard('e', param('board_id'))} and e.action = 'checkpoint_saved'
      order by e.seq desc limit 1 offset ${param('kept')})`,
)

/** Stores the checkpoint of a card that the caller holds, with the entry `checkpoint_saved`. */
export async function storeCheckpoint(
  ctx: Context,
  card: CardRecord,
  { text, data }: z.output<typeof CheckpointInput>,
): Promise<CheckpointRecord> {
  const { id: agent_id, name: agent_name } = ctx.caller
  const stored = { text, data, agent_id, agent_name, at: ctx.now() }
  await updateRow(ctx.db, 'cards', card.id, { checkpoint: toJson(stored) })
  await recordOnCard(ctx, card, 'checkpoint_saved', { agent_id, text, ...(data !== null && { data }) })
  await trimEarlier(ctx.db, {
    id: card.id,
    board_id: card.board_id,
    details: JSON.stringify({ agent_id }),
    kept: checkpointLimit,
  })
  return { card_id: card.id, ...stored }
}

/** Saves the note of a claim as the checkpoint of its card, unless it is already stored. */
export async function saveNote(ctx: Context, card: CardRecord, note: string | null | undefined): Promise<void> {
  if (note == null || note === '') return
  const { checkpoint } = card
  if (checkpoint?.text === note && checkpoint.agent_id === ctx.caller.id) return
  await storeCheckpoint(ctx, card, { text: note, data: null })
}
