/**
 * Compares the service with a bare server that does the same work, in one run: requests a second, p50, p99 and the ratio;
 * the time from start to the first answer; the lineage of a large board; memory after 1, 100 and 1,000 boards. wrk sends
 * the load if it is installed, autocannon otherwise.
 */
import { cpSync, writeFileSync } from 'node:fs'
import { databaseFile } from '@specboard/storage'
import { makeIdeations, makeLargeSpec } from '../data/measured-board.ts'
import { inParallel } from '../harness/in-parallel.ts'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'
import { p50, times } from '../harness/statistics.ts'
import { type Comparison, compare, loadTool } from '../load/load.ts'
import { mcpHeaders, toolCall } from '../load/mcp-tool.ts'
import type { Load } from '../load/request.ts'

/** A request of both servers; the goals depend on the load tool: autocannon needs about as much CPU as the bare server. */
interface Pair extends Omit<Load, 'headers' | 'url'> {
  readonly name: string
  readonly ours: string
  readonly bare: string
  /** The minimum ratio of rates, per cent; 0 if none is set. */
  readonly goal: number
  /** The minimum ratio of the processor times of a request, per cent: the bare server's to ours. */
  readonly processorGoal?: number
}

const goals = loadTool === 'wrk' ? { getOne: 45, list: 60 } : { getOne: 60, list: 85 }

export default scenario({
  summary: 'requests, start and memory, compared with a bare server',
  options: { rounds: 9, starts: 6, boards: 1_000 },
  short: { rounds: 1, starts: 2, boards: 100 },
  run: async (lab, { rounds, starts, boards }) => {
    const { board_id, ideation_id, spec_id } = await lab.with('data', async ({ client }) => {
      const { board_id, ideations } = await makeIdeations(client)
      return { board_id, ideation_id: ideations[0]!, spec_id: await makeLargeSpec(client, board_id) }
    })
    const toAnswer: number[] = []
    for (let round = 0; round < starts; round++) toAnswer.push(await lab.timeOfStart())
    lab.report.figure('start to first answer', { 'p50 ms': p50(toAnswer.slice(1)), goal: '≤ 500' })
    cpSync(databaseFile(lab.path('data')), lab.path('bare.db'))
    const ours = await lab.start()
    const spec = await (await fetch(`${ours.url}/api/v1/specs/${spec_id}`, { headers: ours.headers })).text()
    writeFileSync(lab.path('spec.json'), spec)
    const bare = await lab.startScript('bare-server.ts', lab.path('bare.db'), lab.path('spec.json'))
    const ideation = { ours: `/api/v1/ideations/${ideation_id}`, bare: `/ideations/${ideation_id}` }
    const list = { ours: `/api/v1/boards/${board_id}/ideations`, bare: `/boards/${board_id}/ideations` }
    const pairs: readonly Pair[] = [
      { name: 'get one', ...ideation, goal: goals.getOne, processorGoal: 45 },
      { name: 'list 50', ours: `${list.ours}?limit=50`, bare: list.bare, goal: goals.list, processorGoal: 70 },
      {
        name: `get spec (${Math.round(spec.length / 1024)} kB)`,
        ours: `/api/v1/specs/${spec_id}`,
        bare: '/bytes',
        goal: 0,
      },
      { name: 'patch', method: 'PATCH', body: '{"description":"[<id>]"}', ...ideation, goal: 200, processorGoal: 120 },
      // Comes last: it queues tens of thousands of records for the graph's worker, which would disturb other
      // measurements.
      {
        name: 'create',
        method: 'POST',
        body: JSON.stringify({ title: 'Measured' }),
        ...list,
        goal: 200,
        processorGoal: 90,
      },
    ]
    lab.report.say(`\n16 connections of ${loadTool}, ${rounds} rounds in turn; the ratio is the median of the rounds\n`)
    const row = lab.report.table(
      '',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'bare/s',
      'bare p50 ms',
      'bare p99 ms',
      'ratio',
      'goal',
      'processor µs',
      'bare µs',
      'ratio',
      'goal',
    )
    const percent = (share: number) => `${Math.round(100 * share)} %`
    const atLeast = (goal: number) => (goal === 0 ? '' : `≥ ${goal} %`)
    const show = (name: string, { ours, bare, ratio, processor }: Comparison, goal: number, processorGoal = 0) =>
      row(
        name,
        ...[ours.rate, ours.p50, ours.p99, bare.rate, bare.p50, bare.p99],
        percent(ratio),
        atLeast(goal),
        Math.round(processor?.oursUs ?? 0),
        Math.round(processor?.bareUs ?? 0),
        percent(processor?.ratio ?? 0),
        atLeast(processorGoal),
      )
    const bareMcp = await lab.startScript('bare-mcp-server.ts')
    const call: Omit<Load, 'url'> = {
      method: 'POST',
      headers: mcpHeaders(ours.key!),
      body: toolCall('get_ideation', { ideation_id }),
    }
    const mcp = (url: string): Load => ({ ...call, url: `${url}/mcp` })
    show('MCP tools/call', await compare(mcp(ours.url), mcp(bareMcp.url), 1, rounds, { ours, bare: bareMcp }), 60)
    for (const { name, ours: path, bare: barePath, goal, processorGoal, ...request } of pairs) {
      const load = ({ url }: Service, path: string): Load => ({ ...request, headers: ours.headers, url: url + path })
      const compared = await compare(load(ours, path), load(bare, barePath), 1, rounds, { ours, bare })
      show(name, compared, goal, processorGoal)
    }
    await ours.stop()
    await reportLineage(lab)
    await reportMemory(lab, boards)
  },
})

/** The lineage of a board with 5,000 nodes, on a server whose graph worker is almost idle. */
async function reportLineage(lab: Lab): Promise<void> {
  const { client } = await lab.start('lineage', {
    SPECBOARD_KG_QUEUE_MAX_CONCURRENT_WORKERS: '1',
    SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS: '1000',
  })
  const { id: board_id } = await client.createBoard({ name: 'Lineage', description: '' })
  const specs = await inParallel(Array.from({ length: 25 }), 16, async (_, index) => {
    const { id: ideation_id } = await client.createIdeation({ board_id, title: `Idea ${index}` })
    return client.createSpec({ board_id, ideation_id, title: `Spec ${index}`, status: 'in_progress' })
  })
  await inParallel(Array.from({ length: 4_950 }), 16, (_, index) =>
    client.createCard({ board_id, spec_id: specs[index % specs.length]!.id, title: `Card ${index}` }),
  )
  const query = { board_id, entity_type: 'board', entity_id: board_id } as const
  const { nodes } = await client.getLineageGraph(query)
  await client.getLineageGraph(query)
  lab.report.times(
    `lineage of ${nodes.length} nodes with its transfer`,
    await times(10, () => client.getLineageGraph(query)),
    { goal: '≤ 100' },
  )
}

/** Resident memory after 1, 100 and 1,000 boards, each read and written. */
async function reportMemory(lab: Lab, max: number): Promise<void> {
  const server = await lab.start('memory')
  const memory: Record<string, string> = {}
  let boards = 0
  for (const count of [1, 100, 1_000].filter(size => size <= max)) {
    for (; boards < count; boards++) {
      const { id: board_id } = await server.client.createBoard({ name: `Board ${boards}`, description: '' })
      const { id: ideation_id } = await server.client.createIdeation({ board_id, title: 'Idea' })
      await server.client.getIdeation({ ideation_id })
    }
    memory[String(count)] = `${server.residentMiB} MiB`
  }
  lab.report.figure('memory after boards', { ...memory, goal: '≤ 150, flat' })
}
