/**
 * Measures what calls cost when much is stored: on 100 boards with 1,000 to 1,000,000 records in all, and on one board
 * with 200,000, on SQLite or PostgreSQL. Each figure is also given as a multiple of the one at the first size.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { brokenSequences, type DatabasePlace, falseListCounts, readWithoutLock } from '@specboard/domain'
import { type FilledBoard, fill } from '../data/fill.ts'
import { makeBoards } from '../data/first-records.ts'
import type { Lab } from '../harness/lab.ts'
import { numbersOf } from '../harness/options.ts'
import { shown } from '../harness/report.ts'
import { scenario } from '../harness/scenario.ts'
import { ratio } from '../harness/statistics.ts'
import { type Figures, growthFigures } from '../load/growth-figures.ts'
import { loadTool } from '../load/load.ts'

const manyBoards = 100

/** The minimum for a full page of 50 ideations per board, so that lists return equally much at every size. */
const minOnBoard = 125

const boardsFor = (records: number): number => Math.max(1, Math.min(manyBoards, Math.floor(records / minOnBoard)))

const whole = (value: number): string => value.toLocaleString('en')

export default scenario({
  summary: 'what calls cost with 1,000 to 1,000,000 records on 100 boards, and with 200,000 on one',
  engines: ['sqlite', 'postgres'],
  options: { sizes: '1000,10000,100000,1000000', oneBoard: 200_000, seconds: 5 },
  short: { sizes: '500,1000', oneBoard: 1_000, seconds: 1 },
  run: async (lab, { sizes, oneBoard, seconds }) => {
    const measured: (readonly [title: string, figures: Figures])[] = []
    for (const size of numbersOf('sizes', sizes))
      measured.push([whole(size), await figuresAt(lab, `${size}`, boardsFor(size), size, seconds)])
    if (oneBoard > 0) measured.push([`${whole(oneBoard)} on one`, await figuresAt(lab, 'one', 1, oneBoard, seconds)])
    const [title, first] = measured[0]!
    lab.report.say(`\n${lab.databases.engine}: records on up to ${manyBoards} boards, and on one board.`)
    lab.report.say(`Half of the records are cards; 16 connections of ${loadTool}, ${seconds} s each.`)
    lab.report.say(`ms a call, in brackets as a multiple of the cost at ${title}\n`)
    const row = lab.report.table('', ...measured.map(([title]) => title.padStart(18)))
    for (const [name, base] of first)
      row(
        name,
        ...measured.map(([, figures], place) => {
          const value = figures.get(name)!
          return place === 0 ? value : `${shown(value)} (${ratio(value, base)})`
        }),
      )
  },
})

async function figuresAt(lab: Lab, name: string, boards: number, records: number, seconds: number): Promise<Figures> {
  const seeded = await lab.with(name, ({ client }) => makeBoards(client, boards))
  const filled: readonly FilledBoard[] = await fill(lab.place(name), seeded, Math.round(records / boards))
  await refuseUntrue(lab.place(name))
  if (lab.databases.engine === 'sqlite') await leaveLog(lab.path(name))
  return growthFigures(lab, name, filled, seconds)
}

/**
 * Checks a filled database as doctor does.
 * @throws Error if the log of a board has a gap, or a list is counted wrongly
 */
async function refuseUntrue(place: DatabasePlace): Promise<void> {
  const broken = await readWithoutLock(place, brokenSequences)
  const counts = await readWithoutLock(place, falseListCounts)
  if (broken.length + counts > 0)
    throw new Error(`The filled database has ${broken.length} broken logs and ${counts} false counts of lists.`)
}

/** Leaves a log of 64 MiB for the first start to recover, as a killed server does. */
async function leaveLog(folder: string): Promise<void> {
  const script = fileURLToPath(new URL('../data/leave-log.ts', import.meta.url))
  await once(spawn(process.execPath, [script, folder], { stdio: 'inherit' }), 'exit')
}
