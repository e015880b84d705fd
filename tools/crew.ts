/**
 * Lets a crew whose executors die at work finish the cards of a board: each works, dies with its claim or is judged, and
 * another one starts in its place. Exits 1 where a card is neither done nor in a person's inbox, or was worked on by two
 * at once (crew 4). The last line is a row of the table in `docs/reliability.md`.
 *
 * Usage: pnpm crew [--agents=50] [--cards=2000] [--dying=0.1]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { keepFilesPrivate } from '@specboard/storage'
import { optionOf } from './bench/options.ts'
import { startProduct } from './bench/processes.ts'
import { Crew } from './crew/crew.ts'
import { tableRow } from './table-row.ts'

const agents = Number(optionOf(process.argv, 'agents') ?? 50)
const cards = Number(optionOf(process.argv, 'cards') ?? 2_000)
const dying = Number(optionOf(process.argv, 'dying') ?? 0.1)

keepFilesPrivate()
const folder = mkdtempSync(join(tmpdir(), 'specboard-crew-'))
const server = await startProduct(folder)
try {
  const owner = createClient({ url: server.url, key: server.key! })
  const crew = await Crew.on(server.url, owner, { cards, dying })
  const began = performance.now()
  await crew.work(agents)
  const minutes = (performance.now() - began) / 60_000
  const { done, inInbox, untold } = await crew.outcome()
  const { deaths, failed, twice } = crew
  if (untold.length > 0) console.log(`untold: ${untold.slice(0, 20).join(', ')}`)
  const figures =
    `${done} done, ${inInbox} in a person's inbox, ${untold.length} untold, ${twice} worked on by two at once; ` +
    `${deaths} died at work, ${failed} verdicts failed; ${minutes.toFixed(1)} min`
  console.log(tableRow('pnpm crew', `${agents} agents, ${cards} cards`, figures))
  if (untold.length > 0 || twice > 0) process.exitCode = 1
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
