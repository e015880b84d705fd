import type { Client } from '@specboard/client'
import type { HttpSink } from '../../../apps/cli/test/support/http-sink.ts'
import { inParallel } from '../harness/in-parallel.ts'
import { byLink } from '../harness/present.ts'

/** Boards with people who are notified by chat, one channel each. */
export interface NotifiedBoards {
  readonly boards: readonly { readonly id: string; readonly specId: string }[]
  /** The persons of a board. */
  readonly perBoard: number
}

/** Makes persons, ten for each board, each with a channel that leads to a separate path of a sink. */
export async function makeNotified(
  owner: Client,
  url: string,
  sink: HttpSink,
  persons: number,
): Promise<NotifiedBoards> {
  const perBoard = Math.min(10, persons)
  const boards = await inParallel(Array.from({ length: persons / perBoard }), 4, async (_, index) => {
    const { id } = await owner.createBoard({ name: `Told ${index}`, description: '' })
    const { id: specId } = await owner.createSpec({ board_id: id, title: 'Spec', status: 'in_progress' })
    return { id, specId }
  })
  await inParallel(Array.from({ length: persons }), 8, async (_, index) => {
    const board_ids = [boards[index % boards.length]!.id]
    const { id } = await owner.createAgent({
      kind: 'person',
      name: `Person ${index}`,
      preset_id: 'Full Control',
      board_ids,
    })
    const { client } = await byLink(url, (await owner.createSignInLink({ agent_id: id })).url)
    await client.createNotificationChannel({ type: 'slack', url: `${sink.url}/person/${index}` })
  })
  return { boards, perBoard }
}

/**
 * Asks a question about a new card of one of the boards, which is an item for each person there. Returns the title and
 * when it was asked.
 */
export async function ask(
  owner: Client,
  { boards }: NotifiedBoards,
  number: number,
): Promise<{ title: string; at: number }> {
  const { id: board_id, specId: spec_id } = boards[number % boards.length]!
  const title = `Card number ${number}`
  const { id: card_id } = await owner.createCard({ board_id, spec_id, title })
  await owner.askCardQuestion({ card_id, question: 'Which colour?' })
  return { title, at: performance.now() }
}

/** The titles of the cards in a message: one, or several in a summary. */
export const titlesIn = (text: string): readonly string[] => text.match(/Card number \d+/g) ?? []
