/**
 * Loads a backlog into a board with `specboard import`, whatever format it has; loading it again changes nothing. Starts a
 * server of its own unless `SPECBOARD_URL` and `SPECBOARD_API_KEY` name one.
 */
import { spawnSync } from 'node:child_process'
import { sampleBacklog } from '../data/backlog.ts'
import { scenario } from '../harness/scenario.ts'
import { mainFile } from '../harness/service.ts'
import { sum } from '../harness/statistics.ts'

/** The parts of an import report that are needed here. */
interface ImportSummary {
  readonly board_id: string
  readonly read: Readonly<Record<string, number>>
  readonly created: Readonly<Record<string, number>>
  readonly updated: Readonly<Record<string, number>>
  readonly problems_total: number
  readonly duration_ms: number
}

export default scenario({
  summary: 'a whole backlog through the command line, twice, without duplicates',
  engines: ['sqlite', 'postgres'],
  options: { path: sampleBacklog },
  word: 'path',
  run: async (lab, { path }) => {
    const { SPECBOARD_URL, SPECBOARD_API_KEY } = process.env
    const isNamed = SPECBOARD_URL !== undefined && SPECBOARD_API_KEY !== undefined
    const { url, key } = isNamed ? { url: SPECBOARD_URL, key: SPECBOARD_API_KEY } : await lab.start()
    const env = { ...process.env, SPECBOARD_URL: url, SPECBOARD_API_KEY: key }
    const load = (name: string, ...flags: readonly string[]): ImportSummary => {
      const args = [mainFile(), 'import', path, '--json', ...flags]
      const { status, stderr, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr || stdout)
      const loaded: ImportSummary = JSON.parse(stdout)
      const [read, created, updated] = [loaded.read, loaded.created, loaded.updated].map(counts =>
        sum(Object.values(counts)),
      )
      const counts = { read: read!, created: created!, updated: updated!, problems: loaded.problems_total }
      lab.report.figure(name, { ...counts, s: loaded.duration_ms / 1_000 })
      return loaded
    }
    const again = load('again', '--board', load('first').board_id)
    const changes = sum([again.created, again.updated].flatMap(counts => Object.values(counts)))
    lab.report.expect(changes === 0, 'the second load changed the board')
  },
})
