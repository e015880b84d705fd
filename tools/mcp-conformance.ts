/**
 * Runs the official MCP conformance suite against the product and against a fixture with the suite's own tools behind
 * the same endpoint. Prints unexpected results; exits 1 when there are any.
 *
 * Usage: pnpm conformance [scenario] [--engine=postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startFixture } from './conformance/fixture.ts'
import { proxyTo } from './conformance/proxy.ts'
import { type Scenario, scenarios } from './conformance/scenarios.ts'
import { type Outcome, runScenario } from './conformance/suite.ts'
import { databasesOf } from './lab/harness/databases.ts'
import { inParallel } from './lab/harness/in-parallel.ts'
import { progress } from './lab/harness/progress.ts'
import { startService } from './lab/harness/service.ts'

const { values, positionals } = parseArgs({ options: { engine: { type: 'string' } }, allowPositionals: true })
const [only] = positionals
const chosen = scenarios.filter(({ name }) => only === undefined || name === only)
const folder = mkdtempSync(join(tmpdir(), 'specboard-conformance-'))
await using databases = await databasesOf(values.engine)
const fixture = await startFixture(join(folder, 'fixture'), (await databases.make()).url)
const service = await startService(join(folder, 'service'), {
  SPECBOARD_MCP_RATE_LIMIT: '0',
  ...(await databases.make()).environment,
})
const proxies = {
  service: await proxyTo(service.url, service.key!),
  fixture: await proxyTo(fixture.url, fixture.key),
}

const unexpected: string[] = []
let checks = 0
const bar = progress('conformance', chosen.length, () => ({ checks, unexpected: unexpected.length }))
try {
  await inParallel(chosen, 4, async scenario => {
    const outcome = await runScenario(`${proxies[scenario.server].url}/mcp`, scenario.name, scenario.revision)
    checks += outcome.checks
    unexpected.push(...surprises(scenario, outcome))
    bar.step()
  })
  bar.end()
} finally {
  for (const proxy of Object.values(proxies)) proxy.close()
  await fixture.stop()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
for (const line of unexpected) console.log(line)
const expected = chosen.filter(({ fails }) => Object.keys(fails).length > 0).length
console.log(
  `scenarios ${chosen.length}, checks ${checks}, expected to fail partly or wholly ${expected}, unexpected ${unexpected.length}`,
)
process.exitCode = unexpected.length > 0 ? 1 : 0

/** The unexpected results: checks that fail but should pass, and checks that pass but should fail. */
function surprises({ name, revision, server, fails }: Scenario, { checks, failed }: Outcome): string[] {
  const where = `${revision} ${name} on the ${server}`
  if (checks === 0) return [`${where}: the suite checked nothing`]
  if (fails.all !== undefined) return failed.size > 0 ? [] : [`${where}: passes, expected to fail: ${fails.all}`]
  const wrong = [...failed].filter(([id]) => fails[id] === undefined).map(([id, message]) => `${id}: ${message}`)
  const healed = Object.keys(fails).filter(id => !failed.has(id))
  return [
    ...wrong.map(text => `${where}: ${text}`),
    ...healed.map(id => `${where}: ${id} passes, expected to fail: ${fails[id]}`),
  ]
}
