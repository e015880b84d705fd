/**
 * Measures every analytics operation on a board of 1,000 cards and 100 specs, then on one of 10,000 cards and
 * 1,000 specs: p50 of each over HTTP, of its SQL alone, and how it grew.
 */
import { requestOf } from '@specboard/client'
import { features } from '@specboard/contract'
import { type Board, makeBoard } from '../data/boards.ts'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import { p50, ratio, times } from '../harness/statistics.ts'
import { bareTimes, type ReadCall } from '../load/statements.ts'

/** p50 of an operation, ms: over HTTP, and of its SQL statements alone. */
interface Cost {
  readonly service: number
  readonly bare: number
}

export default scenario({
  summary: 'the analytics of 1,000 and 10,000 cards, compared with their SQL alone',
  options: { specs: 100, calls: 15 },
  short: { specs: 3, calls: 3 },
  run: async (lab, { specs, calls }) => {
    const small = await measureBoard(lab, 'small', specs, calls)
    const large = await measureBoard(lab, 'large', 10 * specs, calls)
    const cards = (of: number) => `${(10 * of).toLocaleString('en')} cards`
    lab.report.say('\np50 in ms; SQL: only the same statements, with their rows read\n')
    const row = lab.report.table('', cards(specs), 'SQL', cards(10 * specs), 'SQL of those', 'growth', 'of SQL')
    for (const [name, before] of small) {
      const after = large.get(name)!
      const grown = [ratio(after.service, before.service), ratio(after.bare, before.bare)]
      row(name, before.service, before.bare, after.service, after.bare, ...grown)
    }
  },
})

/** Creates a board with the given number of specs, the only one of its account, and measures each operation on it. */
async function measureBoard(lab: Lab, name: string, specs: number, calls: number): Promise<Map<string, Cost>> {
  const measured = await lab.with(name, async ({ client, url, headers, key }) => {
    const readings = readingsOf(await makeBoard(client, specs))
    const service: number[] = []
    for (const { operation, fields } of readings) {
      const { path } = requestOf(operation, fields)
      const call = async () => {
        const response = await fetch(url + path, { headers })
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`${operation.name} answered ${response.status}.`)
      }
      service.push(p50(await times(calls, call)))
    }
    return { key: key!, readings, service }
  })
  const bare = await bareTimes(lab.path(name), measured.key, measured.readings, calls)
  return new Map(
    measured.readings.map(({ operation }, index) => [
      operation.name,
      { service: measured.service[index]!, bare: p50(bare[index]!) },
    ]),
  )
}

/** A call of every analytics operation for a board. */
function readingsOf({ board_id, spec_id, sprint_id }: Board): ReadCall[] {
  const at = { board_id }
  const spec = { ...at, entity_type: 'spec', entity_id: spec_id }
  const fieldsOf: Readonly<Record<keyof typeof features.analytics, ReadCall['fields']>> = {
    get_analytics_overview: {},
    get_blockers_analytics: { ...at, limit: 50 },
    get_funnel_analytics: at,
    get_quality_analytics: at,
    get_velocity_analytics: at,
    get_flow_analytics: at,
    get_cycle_time_analytics: at,
    get_coverage_analytics: { ...at, limit: 50 },
    get_validation_analytics: at,
    get_sprints_analytics: at,
    get_spec_analytics: { ...at, spec_id },
    get_sprint_analytics: { ...at, sprint_id },
    get_sprint_progress: { ...at, sprint_id },
    get_agent_analytics: at,
    list_entity_analytics: { ...at, type: 'card' },
    get_entity_analytics: spec,
    export_analytics_overview: {},
    export_board_analytics: at,
    export_entity_analytics: spec,
  }
  return Object.values(features.analytics).map(operation => ({ operation, fields: fieldsOf[operation.name] }))
}
