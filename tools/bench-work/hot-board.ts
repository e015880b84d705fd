import { type Client, createClient } from '@specboard/client'
import { p50, percentile } from '../bench/percentiles.ts'

/** How many write to one board at once. */
const crowd = 32

/** How many cards are made on the board beside it, one after the other. */
const creates = 100

/** How long a create takes on a board that nobody else uses: alone, and while many write to another board of the node. */
export async function reportHotBoard(url: string, owner: Client, key: string): Promise<void> {
  const board = async (name: string) => {
    const { id: board_id } = await owner.createBoard({ name, description: '' })
    const { id: spec_id } = await owner.createSpec({ board_id, status: 'in_progress', title: 'Spec' })
    return { board_id, spec_id }
  }
  const [hot, beside] = [await board('Hot'), await board('Beside')]
  const clientOf = () => createClient({ url, key })
  const timed = async () => {
    const client = clientOf()
    const took: number[] = []
    while (took.length < creates) {
      const began = performance.now()
      await client.createCard({ ...beside, title: 'Card' })
      took.push(performance.now() - began)
    }
    return took
  }
  await timed()
  const alone = await timed()
  let isWriting = true
  let written = 0
  const writers = Array.from({ length: crowd }, async () => {
    const client = clientOf()
    for (; isWriting; written++) await client.createCard({ ...hot, title: 'Card' })
  })
  const began = performance.now()
  const crowded = await timed()
  const rate = (written * 1_000) / (performance.now() - began)
  isWriting = false
  await Promise.all(writers)
  const ms = (took: readonly number[]) =>
    `${p50(took).toFixed(1)} ms (p50), ${percentile(took, 0.99).toFixed(1)} ms (p99)`
  console.log(
    `a create on a board of its own: alone ${ms(alone)}; beside ${crowd} writers of one board ${ms(crowded)}, ` +
      `${(p50(crowded) / p50(alone)).toFixed(1)} times as long; they make ${Math.round(rate)} cards a second`,
  )
}
