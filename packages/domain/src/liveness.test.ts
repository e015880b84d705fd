import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Item, Play, type Row } from './crew-play.testing.ts'
import { drawnCrew, made } from './drawn-crew.testing.ts'
import { Bench } from './next-actions/drawn-board.testing.ts'

let bench: Bench

beforeAll(async () => {
  bench = await Bench.start()
})

afterAll(() => bench.stop())

/**
 * Records that have not ended and that nobody is notified of, neither directly nor through anything that they wait for
 * (L1).
 */
async function unreported(play: Play): Promise<readonly Row[]> {
  const rows = await play.records()
  const named = new Set<string>()
  for (const as of [...play.crew.agents, bench.owner]) for (const id of await play.named(as)) named.add(id)
  const byId = new Map(rows.flatMap(row => [[row.id, row] as const, [row.ref, row] as const]))
  const reaches = (row: Row, seen: Set<string>): boolean => {
    if (named.has(row.id) || named.has(row.ref)) return true
    if (seen.has(row.id)) return false
    seen.add(row.id)
    return row.waits.some(id => {
      const next = byId.get(id)
      return next !== undefined && !next.ends && reaches(next, seen)
    })
  }
  const missed = rows.filter(row => !row.ends && !reaches(row, new Set()))
  // Records on which nobody in the crew may act are counted in the crew gaps that the owner is notified of.
  return stuckOf(missed).length > (await gapsOf(play)) ? missed : []
}

/** The given records that wait neither for certain others nor for records that wait for these. */
function withoutWaiting(rows: readonly Row[], others: ReadonlySet<string>): readonly Row[] {
  const rest = rows.filter(row => !row.waits.some(id => others.has(id)))
  if (rest.length === rows.length) return rest
  const waiting = rows.filter(row => !rest.includes(row)).map(({ id }) => id)
  return withoutWaiting(rest, new Set([...others, ...waiting]))
}

/** The given records that wait for none of the others given. */
function stuckOf(rows: readonly Row[]): readonly Row[] {
  const open = new Set(rows.map(({ id }) => id))
  return rows.filter(row => !row.waits.some(id => open.has(id)))
}

/** The number of records that nobody in the crew may take on, as reported to the owner. */
const gapsOf = async (play: Play): Promise<number> =>
  (await play.inbox(bench.owner)).items
    .filter(({ kind }) => kind === 'crew_gap')
    .reduce((sum, { data }) => sum + data.records, 0)

const described = (rows: readonly Row[]) => rows.map(({ ref, type, status }) => `${ref} (${type}, ${status})`)

const { SPECBOARD_LIVENESS_BOARDS: boardCount, SPECBOARD_LIVENESS_SEED: seed, SPECBOARD_TESTS: mode } = process.env

/** The same boards each time, unless a number of boards is requested without a seed. */
const runs =
  boardCount === undefined
    ? { seed: 1, numRuns: mode === 'quick' ? 30 : 200, endOnFailure: true }
    : { ...(seed !== undefined && { seed: Number(seed) }), numRuns: Number(boardCount), endOnFailure: true }

/** How many calls a record may take to its end. */
const maxCalls = 60

test('nobody is left waiting: every record is named to somebody, and comes to its end (crew 4.8)', async () => {
  await fc.assert(
    fc.asyncProperty(drawnCrew, async plan => {
      const play = new Play(bench, await made(bench, plan))
      expect(described(await unreported(play))).toEqual([])
      const size = (await play.records()).length
      // When nothing is offered, 25 hours pass; the run ends if cards were at most claimed or released since the last
      // time.
      let stepsBefore = -1
      for (;;) {
        let acted = false
        for (const as of play.crew.agents) acted = (await play.turn(as)) || acted
        // What nobody in the crew may do falls to the owner.
        if (!acted) acted = await play.turn(bench.owner)
        if (!acted) {
          if (play.steps === stepsBefore) break
          stepsBefore = play.steps
          bench.now += 25 * 3_600_000
        }
        if (play.calls > maxCalls * size + 60) throw new Error(`no end:\n${play.log()}`)
      }
      const items: Item[] = []
      for (const as of [...play.crew.agents, bench.owner]) items.push(...(await play.inbox(as)).items)
      const isDecision = ({ kind }: Item) => kind === 'card_attempts' || kind === 'card_stuck'
      const excused = new Set(items.filter(isDecision).map(({ record }) => record.id))
      const unfinished = (await play.records()).filter(row => !row.ends && !excused.has(row.id))
      const stuck = stuckOf(withoutWaiting(unfinished, excused))
      if (stuck.length > (await gapsOf(play)))
        throw new Error(
          `not at an end: ${described(stuck).join(', ')}; ${described(unfinished).join(', ')}\n${await play.why(stuck)}\n${play.log()}`,
        )
    }),
    runs,
  )
}, 3_600_000)
