import type { Context } from '../../../kernel/context.ts'
import { nextPart } from '../../../kernel/parts.ts'
import type { CardRecord, Knowledge } from '../../card-record/record.ts'
import { unnumbered } from './entries.ts'

/** The knowledge of a card, with references given to new entries (crew 8.2). */
export async function withNumbers(
  ctx: Context,
  card: Pick<CardRecord, 'id' | 'ref' | 'board_id'>,
  entries: readonly Knowledge[],
): Promise<Knowledge[]> {
  const numbered: Knowledge[] = []
  for (const entry of entries) {
    const isNew = entry.ref === unnumbered
    const number = isNew ? await nextPart(ctx.db, { id: card.id, board: card.board_id }, 'k') : null
    numbered.push(isNew ? { ...entry, ref: `${card.ref}.k${number}` } : entry)
  }
  return numbered
}
