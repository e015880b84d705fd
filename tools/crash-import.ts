/**
 * Kills the server with SIGKILL at random moments of an import and starts it again. After each kill the board must be
 * there whole or not at all, without a file of an attachment left over; where it is not, the same import must succeed.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { inspectDatabase } from '@specboard/domain'
import { eventually } from '../apps/cli/test/support/eventually.ts'
import { killAfter, startProduct } from './bench/processes.ts'
import { makeChains } from './crash-backfill/records.ts'
import { progress } from './progress.ts'

/** Chains of some twelve records each. */
const chains = 60

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
    const bar = progress('crash test', rounds, () => ({ ...counts }))
    for (let round = 0; round < rounds; round++) {
      await killImport(data, key, archive, (round + Math.random()) / rounds)
      counts[await judged(data, key, archive, cards)]++
      bar.step()
    }
    bar.end()
    const { integrity, brokenReferences } = await inspectDatabase(data)
    console.log(
      `rounds ${rounds}, nothing there ${counts.absent}, whole ${counts.whole}, half ${counts.half}, ` +
        `integrity_check ${integrity}`,
    )
    return counts.half + brokenReferences > 0 || integrity !== 'ok' || counts.absent === 0 ? 1 : 0
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

/** Kills the server at some part of the time that an import takes. */
async function killImport(data: string, key: string, archive: File, part: number): Promise<void> {
  const server = await startProduct(data)
  const client = createClient({ url: server.url, key })
  const importing = client.importBoard({ file: archive, keep_ids: false }).catch(() => {})
  await killAfter(100 + part * 1_500, server)
  await importing
}

/** What a kill left; imports again where it left nothing, and empties the service for the next round. */
async function judged(data: string, key: string, archive: File, cards: number): Promise<'absent' | 'whole' | 'half'> {
  const server = await startProduct(data)
  const client = createClient({ url: server.url, key })
  try {
    const { items } = await client.listBoards({})
    const boards = new Set(['incoming', ...items.map(({ id }) => id)])
    const clean = await eventually(() => refuseLeftovers(data, boards)).then(
      () => true,
      () => false,
    )
    if (items.length === 0) {
      const { board_id } = await client.importBoard({ file: archive, keep_ids: false })
      const again = await isWhole(client, board_id!, cards)
      await client.deleteBoard({ board_id: board_id! })
      return again && clean ? 'absent' : 'half'
    }
    const whole = items.length === 1 && clean && (await isWhole(client, items[0]!.id, cards))
    for (const { id } of items) await client.deleteBoard({ board_id: id })
    return whole ? 'whole' : 'half'
  } finally {
    await server.stop()
  }
}

/** What nobody sees is removed in the background. */
function refuseLeftovers(data: string, boards: ReadonlySet<string>): void {
  const folder = join(data, 'attachments')
  const leftover = existsSync(folder) ? readdirSync(folder).filter(name => !boards.has(name)) : []
  if (leftover.length > 0) throw new Error(`Files of ${leftover.join(', ')} are left.`)
}

const isWhole = async (client: Client, board_id: string, cards: number): Promise<boolean> =>
  (await client.listCards({ board_id, limit: 1 })).total === cards
