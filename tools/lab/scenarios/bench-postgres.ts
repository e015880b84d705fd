/**
 * Compares one node and two nodes on PostgreSQL with a bare server on `pg` that does the same: requests a second and
 * the ratio. One node and the bare server are measured in turns; the second node is started after that, because a node
 * follows what others write. The database is that of `SPECBOARD_TEST_DATABASE_URL`, otherwise one started on this
 * machine, which then shares its cores.
 */
import { makeIdeations } from '../data/measured-board.ts'
import { scenario } from '../harness/scenario.ts'
import { p50, ratio, sum } from '../harness/statistics.ts'
import { loadTool, measure } from '../load/load.ts'
import type { Load } from '../load/request.ts'

const connections = 16
const boardsWritten = 16

/** A request, with the paths that are requested in turn, and the minimum share of the bare server's rate. */
interface Case {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly paths: readonly string[]
  readonly body?: string
  readonly goal: number
}

const title = JSON.stringify({ title: 'Measured' })

const casesOn = (id: string, boards: readonly string[]): readonly Case[] => [
  { name: 'get one', method: 'GET', paths: [`/ideations/${id}`], goal: 50 },
  { name: 'list 50', method: 'GET', paths: [`/boards/${boards[0]}/ideations?limit=50`], goal: 50 },
  { name: 'patch', method: 'PATCH', paths: [`/ideations/${id}`], body: '{"description":"[<id>]"}', goal: 0 },
  { name: 'create', method: 'POST', paths: [`/boards/${boards[0]}/ideations`], body: title, goal: 0 },
  {
    name: `create on ${boardsWritten} boards`,
    method: 'POST',
    paths: boards.map(board => `/boards/${board}/ideations`),
    body: title,
    goal: 80,
  },
]

const environment = { SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS: '1000' }

export default scenario({
  summary: 'one node and two on PostgreSQL, compared with a bare server on pg',
  engines: ['postgres'],
  options: { seconds: 2, rounds: 5 },
  short: { seconds: 3, rounds: 1 },
  run: async (lab, { seconds, rounds }) => {
    const { boards, ideationId } = await lab.with(
      'data',
      async ({ client }) => {
        const { board_id, ideations } = await makeIdeations(client)
        const boards = [board_id]
        while (boards.length < boardsWritten)
          boards.push((await client.createBoard({ name: `Bench ${boards.length}`, description: '' })).id)
        return { boards, ideationId: ideations[0]! }
      },
      environment,
    )
    const copy = await lab.databases.make(lab.place().databaseUrl)
    const bare = await lab.startScript('bare-postgres-server.ts', copy.url!)
    const one = await lab.start('data', environment)
    lab.report.say(`${connections} connections of ${loadTool}, ${rounds} rounds in turn\n`)
    const row = lab.report.table('', 'bare/s', 'one node/s', 'ratio', 'goal', 'two nodes/s', 'of one')
    for (const { name, method, paths, body, goal } of casesOn(ideationId, boards)) {
      const rate = async (url: string, prefix: string, max = connections) => {
        const requests = paths.map(path => ({ path: `${prefix}${path}` }))
        const load: Load = {
          url,
          method,
          headers: one.headers,
          requests,
          ...(body !== undefined && { body }),
        }
        return (await measure(load, seconds, max)).rate
      }
      const rates = { bare: [] as number[], one: [] as number[], two: [] as number[] }
      for (let round = 0; round <= rounds; round++) {
        rates.bare.push(await rate(bare.url, ''))
        rates.one.push(await rate(one.url, '/api/v1'))
      }
      const two = await lab.start('data', environment)
      for (let round = 0; round <= rounds; round++)
        rates.two.push(sum(await Promise.all([one, two].map(({ url }) => rate(url, '/api/v1', connections / 2)))))
      await two.stop()
      // The first round warms them up.
      for (const each of Object.values(rates)) each.shift()
      row(
        name,
        ...[p50(rates.bare), p50(rates.one)],
        `${Math.round(100 * p50(rates.one.map((each, round) => each / rates.bare[round]!)))} %`,
        goal === 0 ? '' : `≥ ${goal} %`,
        p50(rates.two),
        ratio(p50(rates.two), p50(rates.one), 2),
      )
    }
  },
})
