/**
 * Compares the product with a bare server that does the same work, in one run: requests a second, p50, p99 and the
 * ratio; the time from start to the first answer; memory after 1, 100 and 1,000 boards. wrk sends the load if it is
 * installed, autocannon otherwise.
 *
 * Usage: pnpm bench [--quick] [--scale] [--graph] [--events] [--webhooks] [--work] [--board] [--web] [--postgres]
 *   [--nodes [--cards=2000] [--part=hot-board]] [--growth [--sizes=1000,…] [--one-board=200000] [--seconds=5] [--engine=postgres]] [--memory [--creates=200000] [--idle=60]]
 *   [--stalls [--records=200000]]
 *   [--exchange [--parts=beads,into-board,archive,backup] [--file=issues.jsonl] [--lines=5722]
 *     [--rows=3000] [--mib=1024] [--engine=postgres]]
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { type Compared, compare, loadTool } from './bench/load.ts'
import { residentMiB, type ServerProcess, startProduct, startScript } from './bench/processes.ts'
import type { Load } from './bench/request.ts'
import { inParallel } from './in-parallel.ts'

const quick = process.argv.includes('--quick')
const seconds = 1
const rounds = quick ? 1 : 9

/** The other benchmarks, by the flag that runs each alone; loaded only then. */
const others: Readonly<Record<string, () => Promise<void>>> = {
  '--scale': async () => (await import('./bench-scale.ts')).benchScale(),
  '--graph': async () => (await import('./bench-graph.ts')).benchGraph(),
  '--growth': async () => {
    const { benchGrowth, growthOptions } = await import('./bench-growth.ts')
    await benchGrowth(growthOptions(process.argv), process.argv)
  },
  '--memory': async () => {
    const { benchMemory, memoryOptions } = await import('./bench-memory.ts')
    await benchMemory(memoryOptions(process.argv))
  },
  '--stalls': async () => {
    const { benchStalls, stallRecords } = await import('./bench-stalls.ts')
    await benchStalls(stallRecords(process.argv))
  },
  '--reports': async () => {
    const { benchReports, reportSizes } = await import('./bench-reports.ts')
    await benchReports(reportSizes(process.argv))
  },
  '--events': async () => (await import('./bench-events.ts')).benchEvents(),
  '--webhooks': async () => (await import('./bench-webhooks.ts')).benchWebhooks(),
  '--board': async () => (await import('./bench-board.ts')).benchBoard(),
  '--nodes': async () => {
    const { benchNodes, nodeOptions } = await import('./bench-nodes.ts')
    await benchNodes(nodeOptions(process.argv))
  },
  '--work': async () => (await import('./bench-work.ts')).benchWork(),
  '--exchange': async () => {
    const { benchExchange, exchangeOptions } = await import('./bench-exchange.ts')
    await benchExchange(exchangeOptions(process.argv), process.argv)
  },
  '--postgres': async () => {
    const { benchPostgres } = await import('./bench-postgres.ts')
    await benchPostgres(quick ? { seconds: 3, rounds: 1 } : {})
  },
  '--web': async () => (await import('../apps/web/bench/bench-web.ts')).benchWeb(),
}

const other = Object.keys(others).find(flag => process.argv.includes(flag))
if (other !== undefined) {
  await others[other]!()
  process.exit()
}

/**
 * The request that both servers answer, and the minimum ratio in per cent; 0 if none is set. The goals depend on the
 * load tool: autocannon needs about as much CPU as the bare server, so the bare server looks slower than it is.
 */
type Pair = readonly [
  name: string,
  request: Omit<Load, 'headers' | 'url'> & { readonly ours: string; readonly bare: string },
  goal: number,
]

const goals = loadTool === 'wrk' ? { getOne: 45, list: 60 } : { getOne: 60, list: 85 }

const folder = mkdtempSync(join(tmpdir(), 'specboard-bench-'))
const dataFolder = join(folder, 'data')
const running: ServerProcess[] = []

try {
  const first = await startProduct(dataFolder)
  const key = first.key!
  const seeded = await seed(createClient({ url: first.url, key }))
  await first.stop()

  await reportStart(dataFolder)
  cpSync(join(dataFolder, 'specboard.db'), join(folder, 'bare.db'))
  const ours = keep(await startProduct(dataFolder))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const specBytes = await (await fetch(`${ours.url}/api/v1/specs/${seeded.specId}`, { headers })).text()
  writeFileSync(join(folder, 'spec.json'), specBytes)
  const bare = keep(await startScript('./bare-server.ts', [join(folder, 'bare.db'), join(folder, 'spec.json')]))

  const { boardId, ideationId, specId } = seeded
  const pairs: readonly Pair[] = [
    ['get one', { ours: `/api/v1/ideations/${ideationId}`, bare: `/ideations/${ideationId}` }, goals.getOne],
    [
      'list 50',
      { ours: `/api/v1/boards/${boardId}/ideations?limit=50`, bare: `/boards/${boardId}/ideations` },
      goals.list,
    ],
    [`get spec (${Math.round(specBytes.length / 1024)} kB)`, { ours: `/api/v1/specs/${specId}`, bare: '/bytes' }, 0],
    [
      'patch',
      {
        method: 'PATCH',
        body: '{"description":"[<id>]"}',
        ours: `/api/v1/ideations/${ideationId}`,
        bare: `/ideations/${ideationId}`,
      },
      200,
    ],
    // Comes last: it leaves the graph's worker tens of thousands of records, which would disturb other measurements.
    [
      'create',
      {
        method: 'POST',
        body: JSON.stringify({ title: 'Measured' }),
        ours: `/api/v1/boards/${boardId}/ideations`,
        bare: `/boards/${boardId}/ideations`,
      },
      200,
    ],
  ]
  console.log(`\n16 connections of ${loadTool}, ${rounds} rounds in turn; the ratio is the median of the rounds\n`)
  if (loadTool !== 'wrk')
    console.log('wrk is not installed (Debian package wrk): loaded with autocannon, by other goals\n')
  row('', 'requests/s', 'p50 ms', 'p99 ms', 'bare/s', 'p50 ms', 'p99 ms', 'ratio', 'goal')
  await reportMcp(ours, key, ideationId)
  for (const [name, { ours: path, bare: barePath, ...request }, goal] of pairs) {
    const result = await compare(
      { ...request, headers, url: ours.url + path },
      { ...request, headers, url: bare.url + barePath },
      seconds,
      rounds,
    )
    show(name, result, goal)
  }
  await ours.stop()
  await reportLineage(folder)
  await reportMemory(folder)
} finally {
  for (const server of running) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A board with 200 ideations; a spec with 50 scenarios, 30 cards and 20 questions. */
async function seed(client: Client): Promise<{ boardId: string; ideationId: string; specId: string }> {
  const board = await client.createBoard({ name: 'Bench', description: '' })
  const made = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      client.createIdeation({
        board_id: board.id,
        title: `Idea ${index}`,
        description: 'x'.repeat(300),
        labels: ['a', 'b'],
      }),
    ),
  )
  const ideation = made[0]!
  for (let index = 0; index < 3; index++)
    await client.askIdeationQuestion({ ideation_id: ideation.id, question: `Why ${index}?` })
  const spec = await client.createSpec({
    board_id: board.id,
    title: 'Measured',
    status: 'approved',
    functional_requirements: Array.from({ length: 20 }, (_, index) => `Requirement ${index}`),
    acceptance_criteria: Array.from({ length: 20 }, (_, index) => `Criterion ${index}`),
    test_scenarios: Array.from({ length: 50 }, (_, index) => ({
      id: `s${index}`,
      title: `Scenario ${index}`,
      linked_criteria: [String(index % 20)],
    })),
  })
  for (let index = 0; index < 30; index++)
    await client.createCard({ board_id: board.id, spec_id: spec.id, title: `Card ${index}` })
  for (let index = 0; index < 20; index++)
    await client.askSpecQuestion({ spec_id: spec.id, question: `What ${index}?` })
  return { boardId: board.id, ideationId: ideation.id, specId: spec.id }
}

function keep(server: ServerProcess): ServerProcess {
  running.push(server)
  return server
}

/** Measures the time from start to the first answer of /health, on an existing database. */
async function reportStart(data: string): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < (quick ? 2 : 6); round++) {
    const started = performance.now()
    const server = await startProduct(data)
    await fetch(`${server.url}/health`)
    times.push(performance.now() - started)
    await server.stop()
  }
  const sorted = times.slice(1).sort((a, b) => a - b)
  console.log(`start to first answer: ${Math.round(sorted[Math.floor(sorted.length / 2)]!)} ms (goal ≤ 500)`)
}

/** Compares tools/call of a read with the bare SDK handler that answers a fixed result. */
async function reportMcp(ours: ServerProcess, key: string, ideationId: string): Promise<void> {
  const bare = keep(await startScript('./bare-mcp-server.ts', []))
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_ideation', arguments: { ideation_id: ideationId } },
  })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  }
  const load = (url: string): Load => ({ url: `${url}/mcp`, method: 'POST', headers, body })
  show('MCP tools/call', await compare(load(ours.url), load(bare.url), seconds, rounds), 60)
}

/** Measures the lineage of a board with 5,000 nodes, on a server whose graph worker is almost idle. */
async function reportLineage(parent: string): Promise<void> {
  const server = keep(
    await startProduct(join(parent, 'lineage'), {
      SPECBOARD_KG_QUEUE_MAX_CONCURRENT_WORKERS: '1',
      SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS: '1000',
    }),
  )
  const client = createClient({ url: server.url, key: server.key! })
  const board = await client.createBoard({ name: 'Lineage', description: '' })
  const specs = await inParallel(Array.from({ length: 25 }), 16, async (_, index) => {
    const ideation = await client.createIdeation({ board_id: board.id, title: `Idea ${index}` })
    return client.createSpec({
      board_id: board.id,
      ideation_id: ideation.id,
      title: `Spec ${index}`,
      status: 'in_progress',
    })
  })
  await inParallel(Array.from({ length: 4_950 }), 16, (_, index) =>
    client.createCard({ board_id: board.id, spec_id: specs[index % specs.length]!.id, title: `Card ${index}` }),
  )
  const times: number[] = []
  let nodes = 0
  for (let round = 0; round < 12; round++) {
    const started = performance.now()
    const graph = await client.getLineageGraph({ board_id: board.id, entity_type: 'board', entity_id: board.id })
    times.push(performance.now() - started)
    nodes = graph.nodes.length
  }
  const sorted = times.slice(2).sort((a, b) => a - b)
  console.log(`lineage of ${nodes} nodes: p50 ${Math.round(sorted[5]!)} ms including its transfer (goal ≤ 100)`)
}

/** Measures resident memory after 1, 100 and 1,000 boards, each read and written. */
async function reportMemory(parent: string): Promise<void> {
  const server = keep(await startProduct(join(parent, 'memory')))
  const client = createClient({ url: server.url, key: server.key! })
  const sizes: string[] = []
  let boards = 0
  for (const goal of [1, 100, 1000]) {
    while (boards < goal) {
      const board = await client.createBoard({ name: `Board ${boards}`, description: '' })
      const ideation = await client.createIdeation({ board_id: board.id, title: 'Idea' })
      await client.getIdeation({ ideation_id: ideation.id })
      boards++
    }
    sizes.push(`${goal}: ${residentMiB(server.child)} MiB`)
  }
  console.log(`\nmemory after boards: ${sizes.join(', ')} (goal ≤ 150, flat)`)
}

function show(name: string, { ours, bare, ratio }: Compared, goal: number): void {
  const number = (value: number) => Math.round(value).toLocaleString('en')
  row(
    name,
    number(ours.rate),
    ours.p50,
    ours.p99,
    number(bare.rate),
    bare.p50,
    bare.p99,
    `${Math.round(100 * ratio)} %`,
    goal === 0 ? '' : `≥ ${goal} %`,
  )
}

function row(name: string, ...cells: readonly (string | number)[]): void {
  console.log(name.padEnd(18) + cells.map(cell => String(cell).padStart(11)).join(''))
}
