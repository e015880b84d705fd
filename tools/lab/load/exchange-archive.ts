import { randomBytes } from 'node:crypto'
import { createWriteStream, openAsBlob, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { inspectDatabase } from '@specboard/domain'
import { fill, moreEvents, type SeededBoard } from '../data/fill.ts'
import { makeFirstRecords } from '../data/first-records.ts'
import { inParallel } from '../harness/in-parallel.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import type { Service } from '../harness/service.ts'
import { reportTaken } from './measured.ts'

/** The size of an attachment, MiB; by default the service accepts up to 10. */
const fileMiB = 8

/** The memory that an export and an import may take, MiB. */
const room = 60

/** How many cards are changed before a service counts as in use. */
const changed = 2_000

/**
 * Makes a board with attachments of random bytes. Half of its records are cards; each record has an event, and further
 * events follow.
 */
export async function makeLargeBoard(
  lab: Lab,
  name: string,
  { mib, records, events }: { readonly mib: number; readonly records: number; readonly events: number },
): Promise<SeededBoard> {
  const seeded = await lab.with(name, async ({ client }) => {
    const firstRecords = await makeFirstRecords(client, 'Large')
    const { board_id, card_id } = firstRecords
    const bar = progress('attachments', mib)
    const sizes = Array.from({ length: Math.ceil(mib / fileMiB) }, (_, at) => Math.min(fileMiB, mib - at * fileMiB))
    await inParallel(sizes, 2, async (size, index) => {
      const file = new File([randomBytes(size * 2 ** 20)], `file-${index}.bin`)
      await client.uploadAttachment({ board_id, card_id, file })
      bar.step(size)
    })
    bar.end()
    return firstRecords
  })
  await fill(lab.place(name), [seeded], records)
  await moreEvents(lab.place(name), seeded, events)
  return seeded
}

/**
 * The export of a large board and the import of its archive: by a service that has just started, and by one in use.
 * @param rest how long a service is idle before it is measured in use, s, so that it frees the memory of its last calls
 */
export async function reportArchive(
  lab: Lab,
  name: string,
  seeded: SeededBoard,
  mib: number,
  rest: number,
): Promise<void> {
  const { rows } = await inspectDatabase(lab.path(name))
  lab.report.say(`a board of ${rows.cards} cards, ${rows.events} events, attachments of ${mib} MiB`)
  const archive = lab.path('large.specboard.zip')
  const measure = (label: string, service: Service, run: () => Promise<unknown>, goal: string) =>
    reportTaken(lab.report, label, service, run, goal)
  await lab.with(name, async server => {
    const exporting = () => save(server, seeded.board_id, archive)
    await measure('export, just started', server, exporting, '40 s')
    await use(server, seeded)
    await pause(rest * 1_000)
    await measure('export, in use', server, exporting, `40 s, +${room} MiB`)
    lab.report.figure('the archive', { MiB: Math.round(statSync(archive).size / 2 ** 20) })
    await pause(rest * 1_000)
    // Its ids exist already in the service that exported it.
    await measure('import, in use', server, () => load(server, archive, false), `60 s, +${room} MiB`)
  })
  await lab.with('empty', server => measure('import, just started', server, () => load(server, archive, true), '60 s'))
}

/** Reads and writes enough of a board to fill the page caches, whose size is configured. */
async function use({ client }: Service, { board_id }: SeededBoard): Promise<void> {
  const { items: cards } = await client.listCards({ board_id })
  const ids = cards.slice(0, changed).map(({ id }) => id)
  await inParallel(ids, 8, card_id => client.updateCard({ card_id, priority: 'high' }))
  for (let after = 0, more = true; more; )
    ({ last_sequence: after, more } = await client.listBoardEvents({ board_id, after, limit: 500 }))
}

/** Imports the archive as a new board. */
const load = async ({ client }: Service, archive: string, keep_ids: boolean): Promise<unknown> =>
  client.importBoard({ file: new File([await openAsBlob(archive)], 'large.specboard.zip'), keep_ids })

async function save({ url, headers }: Service, board_id: string, file: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/boards/${board_id}/export`, { headers })
  if (!answer.ok) throw new Error(await answer.text())
  await pipeline(Readable.fromWeb(answer.body!), createWriteStream(file))
}
