import { randomBytes } from 'node:crypto'
import { createWriteStream, openAsBlob, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, createClient } from '@specboard/client'
import { inspectDatabase } from '@specboard/domain'
import { type ServerProcess, startProduct } from '../bench/processes.ts'
import { fill, moreEvents, type Seeded } from '../bench-growth/fill.ts'
import { inParallel } from '../in-parallel.ts'
import { progress } from '../progress.ts'
import { line, measured } from './measured.ts'

/** Half of the records are cards; each has an entry in the event log, and others follow. */
const records = 20_000
const events = 100_000

/** The size of an attachment, MiB; the service takes 10 unless told otherwise. */
const fileMiB = 8

/** The room that an export and an import may take, MiB. */
const room = 60

/**
 * Makes a board with 10,000 cards, 100,000 events and attachments in a folder; measures its export, and the import into an
 * empty service, if asked to.
 * @returns the owner's key
 */
export async function reportArchive(folder: string, mib: number, isMeasured: boolean): Promise<string> {
  const first = await startProduct(folder)
  const key = first.key!
  const seeded = await seed(createClient({ url: first.url, key }), mib).finally(() => first.stop())
  await fill({ folder }, [seeded], records)
  await moreEvents({ folder }, seeded, events)
  if (!isMeasured) return key
  const { rows } = await inspectDatabase(folder)
  console.log(`a board of ${rows.cards} cards, ${rows.events} events, attachments of ${mib} MiB`)
  const archive = join(folder, '..', 'large.specboard.zip')
  const server = await startProduct(folder)
  try {
    const exporting = () => save(server, key, seeded.board_id, archive)
    await report('export, just started', server, exporting, '40 s')
    await use(createClient({ url: server.url, key }), seeded)
    await report('export, in use', server, exporting, `40 s, +${room} MiB`)
    console.log(`the archive has ${Math.round(statSync(archive).size / 2 ** 20)} MiB`)
    await rest()
    // Its ids are taken where it came from.
    await report('import, in use', server, () => load(server, key, archive, false), `60 s, +${room} MiB`)
  } finally {
    await server.stop()
  }
  const empty = await startProduct(join(folder, '..', 'empty'))
  try {
    await report('import, just started', empty, () => load(empty, empty.key!, archive, true), '60 s')
  } finally {
    await empty.stop()
  }
  return key
}

const report = async (what: string, server: ServerProcess, run: () => Promise<unknown>, goal: string): Promise<void> =>
  console.log(line(what, await measured(server, run), goal))

/** How many cards are changed. */
const changed = 2_000

/** How long a service is left alone before something is measured, ms: it gives back what its last calls took. */
const restMs = 30_000
const rest = (): Promise<void> => new Promise(resolve => setTimeout(resolve, restMs))

/** Reads and writes so much of a board that the page caches, whose size is configured, are full. */
async function use(client: Client, { board_id }: Seeded): Promise<void> {
  const { items: cards } = await client.listCards({ board_id })
  const ids = cards.slice(0, changed).map(({ id }) => id)
  await inParallel(ids, 8, card_id => client.updateCard({ card_id, priority: 'high' }))
  for (let after = 0, more = true; more; )
    ({ last_sequence: after, more } = await client.listBoardEvents({ board_id, after, limit: 500 }))
  await rest()
}

/** Imports the archive as a new board. */
const load = async ({ url }: ServerProcess, key: string, archive: string, keep_ids: boolean): Promise<unknown> =>
  createClient({ url, key }).importBoard({
    file: new File([await openAsBlob(archive)], 'large.specboard.zip'),
    keep_ids,
  })

/** The first record of each kind, and the attachments, of random bytes. */
async function seed(client: Client, mib: number): Promise<Seeded> {
  const { id: board_id } = await client.createBoard({ name: 'Large', description: '' })
  const description = 'What is to be built, in a few sentences, as people write it. '.repeat(5)
  const { id: ideation_id } = await client.createIdeation({ board_id, title: 'Idea', description })
  const { id: spec_id } = await client.createSpec({ board_id, title: 'Spec', description, status: 'in_progress' })
  const { id: card_id } = await client.createCard({ board_id, title: 'Card', description, spec_id })
  const bar = progress('attachments', mib)
  const sizes = Array.from({ length: Math.ceil(mib / fileMiB) }, (_, index) => Math.min(fileMiB, mib - index * fileMiB))
  await inParallel(sizes, 2, async (size, index) => {
    const file = new File([randomBytes(size * 2 ** 20)], `file-${index}.bin`)
    await client.uploadAttachment({ board_id, card_id, file })
    bar.step(size)
  })
  bar.end()
  return { board_id, ideation_id, spec_id, card_id }
}

async function save({ url }: ServerProcess, key: string, board_id: string, file: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/boards/${board_id}/export`, { headers: { 'x-api-key': key } })
  if (!answer.ok) throw new Error(await answer.text())
  await pipeline(Readable.fromWeb(answer.body!), createWriteStream(file))
}
