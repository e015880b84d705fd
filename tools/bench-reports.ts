/**
 * Measures a test report: how long it is answered, and whom it keeps waiting, by the slowest answer of `/health` meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { HealthWatch } from './attack/health-watch.ts'
import { processorMs } from './bench/measure.ts'
import { optionOf } from './bench/options.ts'
import { startProduct } from './bench/processes.ts'

/** Scenarios of each spec. */
const ofSpec = 10

/** How often a report is sent; each run has another outcome, so that every scenario is set anew. */
const rounds = 5

/** Reads `--cases=5000 --scenarios=500`. */
export const reportSizes = (args: readonly string[]) => ({
  cases: Number(optionOf(args, 'cases') ?? 5_000),
  scenarios: Number(optionOf(args, 'scenarios') ?? 500),
})

/** Sends reports of so many cases to a board with so many scenarios, each named by one of them, and prints the times. */
export async function benchReports({ cases, scenarios }: { cases: number; scenarios: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-reports-'))
  const server = await startProduct(folder)
  const health = new HealthWatch(server.url)
  try {
    const client = createClient({ url: server.url, key: server.key! })
    const board = await client.createBoard({ name: 'Reports', description: '' })
    const names: string[] = []
    for (let from = 0; from < scenarios; from += ofSpec) {
      const test_scenarios = Array.from({ length: Math.min(ofSpec, scenarios - from) }, (_, index) => ({
        id: `s${index + 1}`,
        title: `Scenario ${from + index}`,
        given: 'a shop',
        when: 'one buys',
        then: 'it is sold',
      }))
      const spec = await client.createSpec({
        board_id: board.id,
        title: `Spec ${from}`,
        status: 'approved',
        test_scenarios,
      })
      names.push(...test_scenarios.map(({ id }) => `${spec.ref}/${id}`))
    }
    const took: number[] = []
    const held: number[] = []
    const worked: number[] = []
    for (let round = 0; round < rounds; round++) {
      const text = tapOf(cases, names, round)
      await health.times()
      const before = processorMs(server)
      const began = performance.now()
      await client.submitTestReport({ board_id: board.id, ci_run: `${round}`, files: [{ name: 'all.tap', text }] })
      took.push(performance.now() - began)
      worked.push(processorMs(server) - before)
      await new Promise(resolve => setTimeout(resolve, 60))
      held.push((await health.times()).slowest)
    }
    const shown = (times: readonly number[]) => times.map(time => time.toFixed(0)).join(' ')
    console.log(
      `${cases} cases, ${names.length} scenarios, ms: answered ${shown(took)}; of which processor ${shown(worked)};`,
    )
    console.log(`slowest /health ${shown(held)}`)
  } finally {
    await health.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function tapOf(cases: number, names: readonly string[], round: number): string {
  const lines = Array.from({ length: cases }, (_, index) => {
    const ok = (index + round) % 2 === 0 ? 'ok' : 'not ok'
    return `${ok} ${index + 1} - ${names[index] ?? 'another test'} of the shop, number ${index}`
  })
  return `TAP version 14\n1..${cases}\n${lines.join('\n')}\n`
}
