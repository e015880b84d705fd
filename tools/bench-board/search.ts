import { randomUUID } from 'node:crypto'
import { type Client, createClient } from '@specboard/client'
import { writeWithoutLock } from '@specboard/domain'
import { HealthWatch } from '../attack/health-watch.ts'
import { p50, percentile } from '../bench/percentiles.ts'
import { startProduct } from '../bench/processes.ts'

const records = 100_000
const rounds = 60
const vocabulary = 20_000

/** What a search may take at the median, ms (board 4). */
const goal = 25

/** Prints how long searches among 100,000 records take, and how long `/health` waited at most meanwhile. */
export async function reportSearch(folder: string): Promise<void> {
  const key = await fill(folder)
  const server = await startProduct(folder)
  const client = createClient({ url: server.url, key })
  const watch = new HealthWatch(server.url)
  const started = performance.now()
  await client.searchRecords({ q: 'first' })
  const first = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`search_records, the first, which indexes ${records} records: ${first} s, ${await healthOf(watch)}`)
  const searches: readonly (readonly [what: string, fields: Parameters<Client['searchRecords']>[0]])[] = [
    ['two words', { q: `${word(900)} ${word(40)}` }],
    ['a word in one of fifty', { q: word(500) }],
    ['a word in all', { q: 'everywhere' }],
    ['the beginning of a word', { q: word(700).slice(0, 2) }],
    ['one letter', { q: 'e' }],
    ['no word, one status', { q: '', status: 'started' }],
    ['a reference', { q: 'SEA-5000' }],
  ]
  for (const [what, fields] of searches) await measure(what, () => client.searchRecords(fields))
  console.log(await healthOf(watch))
  await watch.stop()
  await server.stop()
}

const healthOf = async (watch: HealthWatch) => `/health at most ${(await watch.times()).slowest.toFixed(0)} ms`

async function measure(what: string, search: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const asked = performance.now()
    await search()
    times.push(performance.now() - asked)
  }
  const figures = `p50 ${p50(times).toFixed(1)} ms  p95 ${percentile(times, 0.95).toFixed(1)} ms  goal ${goal}`
  console.log(`search_records, ${what.padEnd(26)} ${figures}`)
}

/** Words of letters alone, so that each begins differently. */
const word = (number: number): string =>
  [...`${(number * 7_919) % 99_991}`].map(digit => 'etaoinshrd'[Number(digit)]).join('')

/** Words, of which few are in most texts. */
const some = (count: number): string =>
  Array.from({ length: count }, () => word(Math.floor(Math.random() ** 3 * vocabulary))).join(' ')

/** Writes the records past the service, which would take minutes for them; the owner's key. */
async function fill(folder: string): Promise<string> {
  const server = await startProduct(folder)
  const key = server.key!
  const client = createClient({ url: server.url, key })
  const { id: board_id } = await client.createBoard({ name: 'Search', description: '' })
  const { id: spec_id } = await client.createSpec({ board_id, title: 'Spec', status: 'in_progress' })
  const { id } = await client.createCard({ board_id, spec_id, title: 'First' })
  await server.stop()
  await writeWithoutLock(folder, async db => {
    const card = await db.selectFrom('cards').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (let number = 3; number <= records; number++)
      await db
        .insertInto('cards')
        .values({
          ...card,
          id: randomUUID(),
          number,
          title: some(6),
          description: `everywhere ${some(40)}`,
          position: number,
          status: number % 7 === 0 ? 'started' : 'not_started',
          updated_at: new Date(Date.parse(card.updated_at) + number * 1_000).toISOString(),
        })
        .execute()
    await db.updateTable('boards').set({ last_number: records }).execute()
  })
  return key
}
