/**
 * Compares one node and two nodes on PostgreSQL with a bare server on `pg` that does the same: requests a second and the
 * ratio. One node and the bare server are measured in turns; the second node is started after that, because a node follows
 * what others write. The database is that of `SPECBOARD_TEST_DATABASE_URL`, else one of the machine's programs, which then
 * shares its cores with all others.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { onServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { loadTool, measure } from './bench/load.ts'
import { p50 } from './bench/percentiles.ts'
import { type ServerProcess, startProduct, startScript } from './bench/processes.ts'
import type { Load } from './bench/request.ts'

const connections = 16
const boardsWritten = 16

/** A request, with the paths that are asked in turn, and the least share of the bare server's rate. */
interface Case {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly paths: (ideations: readonly string[], boards: readonly string[]) => readonly string[]
  readonly body?: string
  readonly goal: number
}

const title = JSON.stringify({ title: 'Measured' })

const cases: readonly Case[] = [
  { name: 'get one', method: 'GET', paths: ([id]) => [`/ideations/${id}`], goal: 50 },
  { name: 'list 50', method: 'GET', paths: (_, [id]) => [`/boards/${id}/ideations?limit=50`], goal: 50 },
  {
    name: 'patch',
    method: 'PATCH',
    paths: ([id]) => [`/ideations/${id}`],
    body: '{"description":"[<id>]"}',
    goal: 0,
  },
  { name: 'create', method: 'POST', paths: (_, [id]) => [`/boards/${id}/ideations`], body: title, goal: 0 },
  {
    name: `create on ${boardsWritten} boards`,
    method: 'POST',
    paths: (_, boards) => boards.map(id => `/boards/${id}/ideations`),
    body: title,
    goal: 80,
  },
]

/** Prints the figures. */
export async function benchPostgres({ seconds = 2, rounds = 5 } = {}): Promise<void> {
  const missing = whyNoServer()
  if (missing !== undefined) throw new Error(missing)
  const server = await testServer()
  const folder = mkdtempSync(join(tmpdir(), 'specboard-bench-'))
  const running: ServerProcess[] = []
  try {
    const url = await server.database()
    const start = (name: string) =>
      startProduct(join(folder, name), { SPECBOARD_DATABASE_URL: url, SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS: '1000' })
    const first = await start('data')
    const key = first.key!
    const { boards, ideations } = await seed(createClient({ url: first.url, key }))
    await first.stop()
    const copy = await server.database()
    const [from, to] = [url, copy].map(address => new URL(address).pathname.slice(1))
    await onServer(server.url, `drop database ${to}`)
    await onServer(server.url, `create database ${to} template ${from}`)
    const bare = await startScript('./bare-postgres-server.ts', [copy])
    running.push(bare)
    const one = await start('data')
    running.push(one)
    console.log(
      `${availableParallelism()} cores, ${connections} connections of ${loadTool}, ${rounds} rounds in turn\n`,
    )
    row('', 'bare/s', 'one node/s', 'ratio', 'goal', 'two nodes/s', 'of one')
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (const { name, method, paths, body, goal } of cases) {
      const load = (base: string, prefix: string): Load => ({
        url: base,
        method,
        headers,
        ...(body !== undefined && { body }),
        sent: paths(ideations, boards).map(path => ({ path: `${prefix}${path}` })),
      })
      const rate = async (base: string, prefix: string, most = connections) =>
        (await measure(load(base, prefix), seconds, most)).rate
      const bareRates: number[] = []
      const oneRates: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const bareRate = await rate(bare.url, '')
        const oneRate = await rate(one.url, '/api/v1')
        // The first round warms them up.
        if (round === 0) continue
        bareRates.push(bareRate)
        oneRates.push(oneRate)
      }
      const two = await start('data')
      running.push(two)
      const twoRates: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const both = await Promise.all([one, two].map(node => rate(node.url, '/api/v1', connections / 2)))
        if (round > 0) twoRates.push(both.reduce((sum, each) => sum + each, 0))
      }
      await two.stop()
      const ratio = p50(oneRates.map((each, round) => each / bareRates[round]!))
      const scaled = p50(twoRates) / p50(oneRates)
      row(
        name,
        whole(p50(bareRates)),
        whole(p50(oneRates)),
        `${Math.round(100 * ratio)} %`,
        goal === 0 ? '' : `≥ ${goal} %`,
        whole(p50(twoRates)),
        `${scaled.toFixed(2)} ×`,
      )
    }
  } finally {
    for (const node of running) await node.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Boards, the first one with 200 ideations; gives the ids. */
async function seed(client: Client): Promise<{ boards: readonly string[]; ideations: readonly string[] }> {
  const boards: string[] = []
  for (let index = 0; index < boardsWritten; index++)
    boards.push((await client.createBoard({ name: `Bench ${index}`, description: '' })).id)
  const ideations: string[] = []
  for (let index = 0; index < 200; index++) {
    const fields = { title: `Idea ${index}`, description: 'x'.repeat(300), labels: ['a', 'b'] }
    ideations.push((await client.createIdeation({ board_id: boards[0]!, ...fields })).id)
  }
  for (let index = 0; index < 3; index++)
    await client.askIdeationQuestion({ ideation_id: ideations[0]!, question: `Why ${index}?` })
  return { boards, ideations }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')

function row(name: string, ...cells: readonly string[]): void {
  console.log(name.padEnd(22) + cells.map(cell => cell.padStart(13)).join(''))
}
