/**
 * The cost of agents' work in calls and tokens: plays the scenarios of crew 11 over MCP with keys for each role, in the
 * view `core`, against a service of its own. Exits with 1 if one exceeds its budget.
 *
 * Usage: pnpm agent-cost [--show] [--whole] [words of a scenario's title]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { Cost } from './agent-cost/caller.ts'
import { type Scenario, type ScenarioHost, scenarios } from './agent-cost/scenarios.ts'
import { readOptions } from './lab/harness/options.ts'
import { startService } from './lab/harness/service.ts'

const { wanted, show, whole } = readOptions(
  { options: { wanted: '', show: false, whole: false }, word: 'wanted' },
  process.argv.slice(2),
)
const folder = mkdtempSync(join(tmpdir(), 'specboard-agent-cost-'))
const server = await startService(folder)
try {
  const owner = createClient({ url: server.url, key: server.key! })
  const view = whole ? 'toolsets=core&answers=whole' : 'toolsets=core'
  const stage: ScenarioHost = { endpoint: `${server.url}/mcp?${view}`, owner, isShown: show }
  console.log('| Scenario | Calls | Tokens | Refusals |\n|---|---|---|---|')
  for (const scenario of scenarios.filter(({ title }) => title.includes(wanted))) {
    const cost = new Cost()
    await scenario.play(stage, cost)
    console.log(lineOf(scenario, cost))
    if (isTooMuch(scenario, cost)) process.exitCode = 1
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function tokensIn({ both }: Scenario, cost: Cost): number {
  return both ? cost.both : cost.answered
}

function lineOf(scenario: Scenario, cost: Cost): string {
  const { title, calls, tokens, both } = scenario
  const counted = `${tokensIn(scenario, cost)} of ${tokens}${both ? ' both' : ''}`
  return `| ${title} | ${cost.calls} of ${calls} | ${counted} | ${cost.refusals} |`
}

function isTooMuch(scenario: Scenario, cost: Cost): boolean {
  return cost.calls > scenario.calls || tokensIn(scenario, cost) > scenario.tokens || cost.refusals > 0
}
