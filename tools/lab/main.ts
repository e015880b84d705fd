/**
 * Runs a scenario on services of its own: `pnpm lab <name> [options]`. Lists all of them without a name, and the
 * options of one with `--help`. A flag may replace the rest of a name: `pnpm lab crash --import` runs `crash-import`.
 * Exits with 1 if an expectation failed.
 */
import { readdirSync } from 'node:fs'
import { Lab } from './harness/lab.ts'
import { readOptions, usageOf } from './harness/options.ts'
import { Report } from './harness/report.ts'
import type { Scenario } from './harness/scenario.ts'

const folder = new URL('scenarios/', import.meta.url)
const names = readdirSync(folder)
  .map(file => file.replace(/\.ts$/, ''))
  .toSorted()

const scenarioOf = async (name: string): Promise<Scenario> => (await import(new URL(`${name}.ts`, folder).href)).default

const [first = '', ...rest] = process.argv.slice(2)
const flag = rest.find(word => names.includes(`${first}${word.slice(1)}`))
const name = flag === undefined ? first : `${first}${flag.slice(1)}`

if (names.includes(name)) {
  process.exitCode = await run(
    name,
    rest.filter(word => word !== flag),
  )
} else {
  for (const each of names) console.log(`${each.padEnd(18)} ${(await scenarioOf(each)).summary}`)
  if (first !== '') console.error(`There is no scenario ${first}.`)
  process.exitCode = first === '' ? 0 : 1
}

/** Runs a scenario and prints its result; returns the exit code. */
async function run(name: string, words: readonly string[]): Promise<number> {
  const scenario = await scenarioOf(name)
  const options = readOptions(scenario, words)
  if (options.main !== '') process.env.SPECBOARD_MAIN = options.main
  if (options.help) {
    console.log(`${scenario.summary}\nUsage: pnpm lab ${name} ${usageOf(scenario)}`)
    return 0
  }
  const { engines = ['sqlite'] } = scenario
  const engine = engines.length === 1 ? engines[0]! : options.engine
  if (options.engine === 'postgres' && !engines.includes('postgres')) throw new Error(`${name} runs on SQLite only.`)
  const lacking = scenario.lacks?.()
  if (lacking !== undefined) {
    console.log(`${lacking}: ${name} is skipped`)
    return 0
  }
  const report = new Report(line => (options.json ? console.error(line) : console.log(line)))
  {
    await using lab = await Lab.open(engine, report)
    await scenario.run(lab, options)
  }
  const { figures, broken } = report
  const machine = report.end()
  report.say(
    `load ${machine.load.join(' → ')} on ${machine.cores} processors${broken.length > 0 ? `\nNOT held: ${broken.join('; ')}` : ''}`,
  )
  if (options.json) console.log(JSON.stringify({ scenario: name, engine, machine, figures, broken }, undefined, 2))
  return broken.length === 0 ? 0 : 1
}
