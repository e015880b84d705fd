/**
 * Kills the server with SIGKILL in each phase of imports, every other one into an existing board, and starts it again.
 * After each kill the import must be complete or undone, without leftover files of attachments; if it was undone, the
 * same import must succeed.
 */
import { existsSync, readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setTimeout as turn } from 'node:timers/promises'
import type { Client } from '@specboard/client'
import { inspectDatabase, readWithoutLock } from '@specboard/domain'
import { eventually } from '../../../apps/cli/test/support/eventually.ts'
import { makeChains } from '../data/chains.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'

/** The phases of an import into a new board, and into an existing one, as seen in the database. */
const phasesOf = {
  new: ['reading', 'writing', 'queueing'],
  standing: ['reading', 'gathering', 'placing', 'placing', 'queueing'],
} as const

type Phase = (typeof phasesOf)['new' | 'standing'][number] | 'answered'

/** The maximum time between the start of a phase and its kill, ms. */
const maxMs = 60

/** What is imported in a round: into a new or an existing board. */
interface Round {
  readonly archive: File
  readonly cards: number
  readonly into: boolean
}

export default scenario({
  summary: 'kill -9 in each phase of an import: the board is complete or absent',
  options: { rounds: 20, chains: 60 },
  word: 'rounds',
  short: { rounds: 4, chains: 20 },
  run: async (lab, { rounds, chains }) => {
    const archive = await makeArchive(lab, chains)
    const data = lab.path('data')
    const counts = { absent: 0, whole: 0, half: 0 }
    const phases: Partial<Record<Phase, number>> = {}
    const bar = progress('crash test', rounds, () => ({ ...counts }))
    for (let index = 0; index < rounds; index++) {
      const round: Round = { ...archive, into: index % 2 === 1 }
      const order = round.into ? phasesOf.standing : phasesOf.new
      const sought = order[Math.floor(index / 2) % order.length]!
      const phase = await killImport(data, await lab.start(), round, sought)
      phases[phase] = (phases[phase] ?? 0) + 1
      counts[await lab.with('data', server => judged(data, server, round))]++
      bar.step()
    }
    bar.end()
    const { integrity, staleIndexes, brokenReferences } = await inspectDatabase(data)
    const killedIn = Object.entries(phases).map(([phase, count]) => `${phase} ${count}`)
    lab.report.run('pnpm crash --import', rounds, [
      `killed while ${killedIn.join(', ')}`,
      `nothing there ${counts.absent}, whole ${counts.whole}, half ${counts.half}`,
      `integrity_check ${integrity}`,
    ])
    lab.report.expect(counts.half === 0, 'half a board was left')
    const damaged = integrity !== 'ok' || brokenReferences.total + staleIndexes.length > 0
    lab.report.expect(!damaged, 'the database is damaged')
    lab.report.expect(counts.absent * counts.whole > 0, 'kills left nothing each time, or all')
  },
})

/** The archive of a board with records of every kind and a file. */
const makeArchive = (lab: Lab, chains: number): Promise<Omit<Round, 'into'>> =>
  lab.with('source', async ({ client }) => {
    const { id: board_id } = await client.createBoard({ name: 'Crash', description: '' })
    await makeChains(client, board_id, chains)
    const { items, total } = await client.listCards({ board_id, limit: 1 })
    await client.uploadAttachment({ board_id, card_id: items[0]!.id, file: new File(['bytes'], 'notes.txt') })
    const bytes = Buffer.from(await (await client.exportBoard({ board_id })).arrayBuffer())
    return { archive: new File([bytes], 'crash.specboard.zip'), cards: total }
  })

/**
 * Kills the server in a phase of an import, or after its answer if the phase was missed; returns the phase it was in.
 */
async function killImport(data: string, server: Service, { archive, into }: Round, sought: Phase): Promise<Phase> {
  const { client } = server
  const board_id = into ? (await client.createBoard({ name: 'Standing', description: '' })).id : undefined
  const answered = { yet: false }
  const importing = client
    .importBoard({ file: archive, keep_ids: false, board_id })
    .catch(() => {})
    .finally(() => Object.assign(answered, { yet: true }))
  // Without this pause, reading the database would never let the call run.
  while (!answered.yet && (await phaseOf(data)) !== sought) await turn(1)
  await turn(Math.random() * maxMs)
  const phase = answered.yet ? 'answered' : await phaseOf(data)
  await server.kill()
  await importing
  return phase
}

/** The progress of the import in a data folder. */
async function phaseOf(data: string): Promise<Phase> {
  const [running] = await readWithoutLock(data, db => db.selectFrom('imports').select(['staged', 'written']).execute())
  if (running === undefined) return 'reading'
  if (running.written === 1) return 'queueing'
  return running.staged ?? 'writing'
}

/** Checks what a kill left; imports again if nothing was imported, and empties the service for the next round. */
async function judged(
  data: string,
  { client }: Service,
  { archive, cards, into }: Round,
): Promise<'absent' | 'whole' | 'half'> {
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
}

const cardsOf = async (client: Client, board_id: string): Promise<number> =>
  (await client.listCards({ board_id, limit: 1 })).total

/** How many files of a board's attachments a data folder has. */
async function fileCount(data: string, board_id: string): Promise<number> {
  const folder = `${data}/attachments/${board_id}`
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).length
}

/** Hidden leftovers are removed in the background. */
function refuseLeftovers(data: string, boards: ReadonlySet<string>): void {
  const folder = `${data}/attachments`
  const leftover = existsSync(folder) ? readdirSync(folder).filter(name => !boards.has(name)) : []
  if (leftover.length > 0) throw new Error(`Files of ${leftover.join(', ')} are left.`)
}
