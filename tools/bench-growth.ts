/**
 * Measures what calls cost when much is stored: on 100 boards with 1,000 to 1,000,000 records in all, and on one board
 * with 200,000, on SQLite or PostgreSQL. Each figure is also told as a multiple of that at the first size.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@specboard/client'
import { loadTool } from './bench/load.ts'
import { optionOf } from './bench/options.ts'
import { startProduct } from './bench/processes.ts'
import { refuseUntrue } from './bench-growth/check.ts'
import { fill, type Seeded } from './bench-growth/fill.ts'
import { type Figure, type Figures, figuresOf, type Place } from './bench-growth/measures.ts'
import { type Databases, databasesOf } from './databases.ts'

const manyBoards = 100

/** A board is to hold a full page of 50 ideations, so that a list answers as much at every size. */
const leastOnBoard = 125

const boardsFor = (records: number): number => Math.max(1, Math.min(manyBoards, Math.floor(records / leastOnBoard)))

/** What is measured, from the arguments of the command. */
export interface GrowthOptions {
  /** Records on up to 100 boards; the figures of the others are told as multiples of the first. */
  readonly sizes: readonly number[]
  /** Records on one board; 0 leaves it out. */
  readonly oneBoard: number
  /** How long each load lasts. */
  readonly seconds: number
}

/** Reads `--sizes=1000,10000`, `--one-board=20000` and `--seconds=2`; each has its default. */
export function growthOptions(args: readonly string[]): GrowthOptions {
  const named = (name: string) => optionOf(args, name)
  const options = {
    sizes: (named('sizes') ?? '1000,10000,100000,1000000').split(',').map(Number),
    oneBoard: Number(named('one-board') ?? 200_000),
    seconds: Number(named('seconds') ?? 5),
  }
  const numbers = [...options.sizes, options.oneBoard, options.seconds]
  if (numbers.some(number => !Number.isInteger(number) || number < 0)) throw new Error('Sizes are whole numbers.')
  return options
}

/**
 * Measures every size and prints the table.
 * @param args of the command: `--engine=postgres` measures on PostgreSQL
 */
export async function benchGrowth({ sizes, oneBoard, seconds }: GrowthOptions, args: readonly string[]): Promise<void> {
  await using databases = await databasesOf(args)
  const measured: (readonly [title: string, figures: Figures])[] = []
  for (const size of sizes) measured.push([number(size), await measureSize(databases, boardsFor(size), size, seconds)])
  if (oneBoard > 0) measured.push([`${number(oneBoard)} on one`, await measureSize(databases, 1, oneBoard, seconds)])
  const where = { sqlite: 'SQLite', postgres: 'PostgreSQL' }[databases.engine]
  console.log(`\n${where}: records on up to ${manyBoards} boards, and on one board.`)
  console.log(`Half of the records are cards; 16 connections of ${loadTool}, ${seconds} s each.`)
  console.log(`ms a call, in brackets as a multiple of the cost at ${measured[0]![0]}\n`)
  row('', ...measured.map(([title]) => title))
  const [, first] = measured[0]!
  for (const [name, base] of first)
    row(name, ...measured.map(([, figures], place) => shown(figures.get(name)!, place === 0 ? undefined : base)))
}

const number = (value: number): string => value.toLocaleString('en')

function shown({ value, unit }: Figure, base: Figure | undefined): string {
  const text = unit === 'MiB' ? `${Math.round(value)} MiB` : value.toFixed(value < 10 ? 3 : 0)
  return base === undefined ? text : `${text} (${(value / base.value).toFixed(1)} ×)`
}

const row = (name: string, ...cells: readonly string[]): void =>
  console.log(name.padEnd(22) + cells.map(cell => cell.padStart(20)).join(''))

async function measureSize(databases: Databases, boards: number, records: number, seconds: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-growth-'))
  try {
    const { url: databaseUrl, environment } = await databases.make()
    const place: Place = { folder, databaseUrl, environment }
    const { key, seeded } = await seed(place, boards)
    const filled = await fill(place, seeded, Math.round(records / boards))
    await refuseUntrue(place)
    if (databaseUrl === undefined) await leaveLog(folder)
    return await figuresOf(place, key, filled, seconds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates the boards, each with one record of each kind, by calls of the service. */
async function seed({ folder, environment }: Place, boards: number): Promise<{ key: string; seeded: Seeded[] }> {
  const server = await startProduct(folder, environment)
  try {
    const client = createClient({ url: server.url, key: server.key! })
    const seeded: Seeded[] = []
    for (let index = 0; index < boards; index++) seeded.push(await seedBoard(client, index))
    return { key: server.key!, seeded }
  } finally {
    await server.stop()
  }
}

const text = 'What is to be built, in a sentence or two, as people write it. '

async function seedBoard(client: Client, index: number): Promise<Seeded> {
  const { id: board_id } = await client.createBoard({ name: `Board ${index}`, description: '' })
  const described = { board_id, description: text.repeat(5), labels: ['a', 'b'] }
  const ideation = await client.createIdeation({ ...described, title: 'The first ideation' })
  const spec = await client.createSpec({
    ...described,
    title: 'The first spec',
    status: 'in_progress',
    functional_requirements: [text, text],
    acceptance_criteria: [text, text],
  })
  const card = await client.createCard({ ...described, spec_id: spec.id, title: 'The first card' })
  return { board_id, ideation_id: ideation.id, spec_id: spec.id, card_id: card.id }
}

/** Leaves a log of 64 MiB for the first start to recover, as a killed server does. */
async function leaveLog(folder: string): Promise<void> {
  const script = fileURLToPath(new URL('./bench-growth/leave-log.ts', import.meta.url))
  await once(spawn(process.execPath, [script, folder], { stdio: 'inherit' }), 'exit')
}
