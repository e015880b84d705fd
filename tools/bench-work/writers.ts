import { type Client, createClient } from '@specboard/client'
import { p50, percentile } from '../bench/percentiles.ts'

/** How long the writers write, ms. */
const lastsMs = 8_000

/** Writers on boards of their own, each through one of the nodes: writes a second, and what one takes. */
export async function reportWriters(
  urls: readonly string[],
  owner: Client,
  key: string,
  boards: number,
): Promise<void> {
  const places = await Promise.all(
    Array.from({ length: boards }, async (_, index) => {
      const { id: board_id } = await owner.createBoard({ name: `Writer ${index}`, description: '' })
      const { id: spec_id } = await owner.createSpec({ board_id, status: 'in_progress', title: 'Spec' })
      return { board_id, spec_id }
    }),
  )
  const took: number[] = []
  const end = performance.now() + lastsMs
  await Promise.all(
    places.map(async (place, index) => {
      const client = createClient({ url: urls[index % urls.length]!, key })
      while (performance.now() < end) {
        const began = performance.now()
        await client.createCard({ ...place, title: 'Card' })
        took.push(performance.now() - began)
      }
    }),
  )
  console.log(
    `${boards} writers on ${boards} boards through ${urls.length} nodes: ${Math.round((took.length * 1_000) / lastsMs)} ` +
      `cards a second, ${p50(took).toFixed(1)} ms (p50), ${percentile(took, 0.99).toFixed(1)} ms (p99)`,
  )
}
