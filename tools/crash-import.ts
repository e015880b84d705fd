/**
 * Kills the server with SIGKILL in each phase of imports, every other one into a board that stands, and starts it again. After
 * each kill what was imported must be there whole or not at all, without a file of an attachment left over;
 * where it is not, the same import must succeed.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as turn } from 'node:timers/promises'
import { type Client, createClient } from '@specboard/client'
import { inspectDatabase, readWithoutLock } from '@specboard/domain'
import { eventually } from '../apps/cli/test/support/eventually.ts'
import { killed, startProduct } from './bench/processes.ts'
import { makeChains } from './crash-backfill/records.ts'
import { progress } from './progress.ts'
import { tableRow } from './table-row.ts'

/** Chains of some twelve records each. */
const chains = 60

/** The phases of an import into a new board, and into one that stands, as the database tells them. */
const phasesOf = {
  new: ['reading', 'writing', 'queueing'],
  standing: ['reading', 'gathering', 'placing', 'placing', 'queueing'],
} as const

type Phase = (typeof phasesOf)['new' | 'standing'][number] | 'answered'

/** A kill comes so long after its phase has begun at most, ms. */
const mostMs = 60

/** What is imported in a round: into a new board, or one that stands. */
interface Round {
  readonly archive: File
  readonly cards: number
  readonly into: boolean
}

/** Kills so many imports; returns 1 when one left half a board. */
export async function crashImport(rounds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-crash-'))
  try {
    const { archive, cards } = await makeArchive(join(folder, 'source'))
    const data = join(folder, 'data')
    const first = await startProduct(data)
    const key = first.key!
    await first.stop()
    const counts = { absent: 0, whole: 0, half: 0 }
    const phases: Partial<Record<Phase, number>> = {}
    const bar = progress('crash test', rounds, () => ({ ...counts }))
    for (let round = 0; round < rounds; round++) {
      const into = round % 2 === 1
      const order = into ? phasesOf.standing : phasesOf.new
      const sought = order[Math.floor(round / 2) % order.length]!
      const phase = await killImport(data, key, { archive, cards, into }, sought)
      phases[phase] = (phases[phase] ?? 0) + 1
      counts[await judged(data, key, { archive, cards, into })]++
      bar.step()
    }
    bar.end()
    const { integrity, staleIndexes, brokenReferences } = await inspectDatabase(data)
    const killedIn = Object.entries(phases).map(([phase, count]) => `${phase} ${count}`)
    const figures = `killed while ${killedIn.join(', ')}; nothing there ${counts.absent}, whole ${counts.whole}, half ${counts.half}; integrity_check ${integrity}`
    console.log(figures)
    console.log(tableRow(`pnpm crash --import ${rounds}`, String(rounds), figures))
    return counts.half + brokenReferences.total + staleIndexes.length > 0 ||
      integrity !== 'ok' ||
      counts.absent * counts.whole === 0
      ? 1
      : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The archive of a board with records of every kind and a file. */
async function makeArchive(folder: string): Promise<{ archive: File; cards: number }> {
  const server = await startProduct(folder)
  const client = createClient({ url: server.url, key: server.key! })
  const { id: board_id } = await client.createBoard({ name: 'Crash', description: '' })
  await makeChains(client, board_id, chains)
  const { items, total } = await client.listCards({ board_id, limit: 1 })
  await client.uploadAttachment({ board_id, card_id: items[0]!.id, file: new File(['bytes'], 'notes.txt') })
  const bytes = Buffer.from(await (await client.exportBoard({ board_id })).arrayBuffer())
  await server.stop()
  return { archive: new File([bytes], 'crash.specboard.zip'), cards: total }
}

/** Kills the server in a phase of an import, or after its answer where that was not seen; returns the phase it was in. */
async function killImport(data: string, key: string, { archive, into }: Round, sought: Phase): Promise<Phase> {
  const server = await startProduct(data)
  const client = createClient({ url: server.url, key })
  const board_id = into ? (await client.createBoard({ name: 'Standing', description: '' })).id : undefined
  const answered = { yet: false }
  const importing = client
    .importBoard({ file: archive, keep_ids: false, board_id })
    .catch(() => {})
    .finally(() => Object.assign(answered, { yet: true }))
  // Reading the database alone would leave the call no turn.
  while (!answered.yet && (await phaseOf(data)) !== sought) await turn(1)
  await turn(Math.random() * mostMs)
  const phase = answered.yet ? 'answered' : await phaseOf(data)
  await killed(server.child)
  await importing
  return phase
}

/** How far the import of a data folder is. */
async function phaseOf(data: string): Promise<Phase> {
  const [running] = await readWithoutLock(data, db => db.selectFrom('imports').select(['staged', 'written']).execute())
  if (running === undefined) return 'reading'
  if (running.written === 1) return 'queueing'
  return running.staged ?? 'writing'
}

/** What a kill left; imports again where it left nothing, and empties the service for the next round. */
async function judged(
  data: string,
  key: string,
  { archive, cards, into }: Round,
): Promise<'absent' | 'whole' | 'half'> {
  const server = await startProduct(data)
  const client = createClient({ url: server.url, key })
  try {
    const { items } = await client.listBoards({})
    const found = items[0] === undefined ? 0 : await cardsOf(client, items[0].id)
    const boards = new Set(['incoming', ...items.map(({ id }) => id)])
    const clean = await eventually(() => refuseLeftovers(data, boards)).then(
      () => true,
      () => false,
    )
    const files = items[0] === undefined ? 0 : await fileCount(data, items[0].id)
    const isAbsent = clean && found === 0 && files === 0 && items.length === (into ? 1 : 0)
    const isWhole = clean && found === cards && files === 1 && items.length === 1
    for (const { id } of items) await client.deleteBoard({ board_id: id })
    if (isWhole) return 'whole'
    if (!isAbsent) return 'half'
    const { board_id } = await client.importBoard({ file: archive, keep_ids: false })
    const again = await cardsOf(client, board_id!)
    await client.deleteBoard({ board_id: board_id! })
    return again === cards ? 'absent' : 'half'
  } finally {
    await server.stop()
  }
}

const cardsOf = async (client: Client, board_id: string): Promise<number> =>
  (await client.listCards({ board_id, limit: 1 })).total

/** How many files of a board's attachments a data folder has. */
async function fileCount(data: string, board_id: string): Promise<number> {
  const folder = join(data, 'attachments', board_id)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).length
}

/** What nobody sees is removed in the background. */
function refuseLeftovers(data: string, boards: ReadonlySet<string>): void {
  const folder = join(data, 'attachments')
  const leftover = existsSync(folder) ? readdirSync(folder).filter(name => !boards.has(name)) : []
  if (leftover.length > 0) throw new Error(`Files of ${leftover.join(', ')} are left.`)
}
