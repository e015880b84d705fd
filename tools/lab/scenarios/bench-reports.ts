/**
 * Measures a test report: its latency, and how long it blocks others, by the slowest answer of `/health` at the same
 * time.
 */
import { scenario } from '../harness/scenario.ts'
import { longestStall } from '../load/measured.ts'

/** Scenarios of each spec. */
const ofSpec = 10

export default scenario({
  summary: 'how long a large test report is answered, and whom it keeps waiting',
  /** `wildcards`: how many scenarios name their tests by a pattern with a wildcard. */
  options: { cases: 5_000, scenarios: 500, wildcards: 0, rounds: 5 },
  short: { cases: 100, scenarios: 20, wildcards: 5, rounds: 2 },
  run: async (lab, { cases, scenarios, wildcards, rounds }) => {
    const server = await lab.start()
    const { client } = server
    const health = lab.watch(server)
    const { id: board_id } = await client.createBoard({ name: 'Reports', description: '' })
    const names: string[] = []
    for (let from = 0; from < scenarios; from += ofSpec) {
      const test_scenarios = Array.from({ length: Math.min(ofSpec, scenarios - from) }, (_, index) => ({
        id: `s${index + 1}`,
        title: `Scenario ${from + index}`,
        given: 'a shop',
        when: 'one buys',
        then: 'it is sold',
        ...(from + index < wildcards && { tests: [`*another*number ${from + index}*`] }),
      }))
      const spec = await client.createSpec({ board_id, title: `Spec ${from}`, status: 'approved', test_scenarios })
      names.push(...test_scenarios.map(({ id }) => `${spec.ref}/${id}`))
    }
    lab.report.say(`${cases} cases, ${names.length} scenarios, ${wildcards} wildcards`)
    const row = lab.report.table('round', 'answered ms', 'processor ms', 'slowest /health ms')
    // Each run has another outcome, so that every scenario is set anew.
    for (let round = 0; round < rounds; round++) {
      const files = [{ name: 'all.tap', text: tapOf(cases, names, round) }]
      const before = server.processorMs
      const send = () => client.submitTestReport({ board_id, ci_run: `${round}`, files })
      const { took, slowest } = await longestStall(send, 1, health)
      row(`${round + 1}`, took, server.processorMs - before, slowest)
    }
  },
})

function tapOf(cases: number, names: readonly string[], round: number): string {
  const lines = Array.from({ length: cases }, (_, index) => {
    const ok = (index + round) % 2 === 0 ? 'ok' : 'not ok'
    return `${ok} ${index + 1} - ${names[index] ?? 'another test'} of the shop, number ${index}`
  })
  return `TAP version 14\n1..${cases}\n${lines.join('\n')}\n`
}
