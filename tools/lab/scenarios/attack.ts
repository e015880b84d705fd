/**
 * Attacks its own server with keys that have few permissions and without one. Prints for each attack and sender the
 * answers, the processor time of the service, the latency of `/health` meanwhile, and the memory that is not freed;
 * fails if a promise was broken. The short form leaves out what takes long, measures no memory, and only fails for
 * wrong answers and a service that no longer works, because times depend on what else the machine does.
 */
import { attacks } from '../attack/cases.ts'
import { Collector } from '../attack/collector.ts'
import { Figures } from '../attack/figures.ts'
import { runAttack } from '../attack/run-attack.ts'
import { type Sender, targetOn } from '../attack/target.ts'
import { scenario } from '../harness/scenario.ts'

/** Maximum memory that an attack may leave, MiB (trust 1). */
const maxLeftMiB = 64

export default scenario({
  summary: 'how the service stands attacks by callers without a key or with few rights',
  engines: ['sqlite', 'postgres'],
  options: { named: '', short: false },
  word: 'named',
  run: async (lab, { named, short }) => {
    const { engine } = lab.databases
    const chosen = attacks.filter(
      ({ name, engine: only = engine, isLong }) => name.includes(named) && only === engine && !(short && isLong),
    )
    const collector = short ? undefined : await Collector.onFreePort()
    const server = await lab.start('data', {
      SPECBOARD_LOG_LEVEL: 'fatal',
      SPECBOARD_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      ...collector?.environment,
    })
    lab.atEnd(() => collector?.end())
    const figures = new Figures(server, lab.watch(server))
    const target = await targetOn({ server, root: lab.root, databaseUrl: lab.place().databaseUrl })
    await figures.rest()
    const row = lab.report.table(
      'attack'.padEnd(75),
      ...['held', '/health p50', 'slowest', 'left', 'answers'.padEnd(36), 'CPU a request'],
    )
    let settled = collector && (await figures.settledMiB(collector))
    for (const attack of chosen)
      for (const by of Object.keys(attack.answers) as Sender[]) {
        const before = settled
        const { faults, answers, p50, slowest, processor } = await runAttack(attack, by, {
          target,
          figures,
          server,
          short,
        })
        settled = collector && (await figures.settledMiB(collector))
        const growth = before === undefined || settled === undefined ? undefined : settled - before
        if (growth !== undefined && growth > maxLeftMiB) faults.push(`more than ${maxLeftMiB} MiB remained`)
        const name = `${attack.name}, by ${by}`
        for (const fault of faults) lab.report.expect(false, `${name}: ${fault}`)
        const memory = growth === undefined ? '' : `${growth} MiB`
        row(name, faults.length === 0 ? 'yes' : 'NO', p50, slowest, memory, answers.padEnd(36), processor)
      }
    const { length } = lab.report.broken
    lab.report.say(length === 0 ? `\nall ${chosen.length} attacks withstood` : `\n${length} checks failed`)
  },
})
