import type { Permission } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { specEvaluations, sprintEvaluations } from './evaluations.ts'
import {
  readSpecEvaluations,
  readSpecValidations,
  readSprintEvaluations,
  readTaskValidations,
  type SpecFact,
} from './facts.ts'
import { type Chain, cycleTimes, doneCount, readChain, specBreakdown, sprintBreakdown } from './funnel.ts'
import { specGate, taskGate } from './gates.ts'
import { isImported } from './imported.ts'
import { hoursBetween, mean, percent } from './measures.ts'
import { always, type RangeQuery, rangeOf, velocityWindow } from './periods.ts'
import { type Population, reader, within } from './population.ts'
import { ascending, descending, ranked } from './ranking.ts'
import { reportedOrFound } from './sprints.ts'
import { bugCounts, cardBreakdown, cardCounts, readReports, typeCounts } from './tallies.ts'
import { weeksOf } from './velocity.ts'
import { readVelocityEvents } from './velocity-events.ts'

interface Board {
  readonly id: string
  readonly name: string
}

const boardsById = hot<{ ids: string }, Board>(
  (_, param) =>
    sql<Board>`select b.id, b.name from boards b where ${dialect.inList(sql.ref('b.id'), param('ids'))}
      order by b.created_at, b.id`,
)

interface Triage {
  readonly created_at: string
  readonly first_test_at: string
}

const triages = reader(
  ['board_id'],
  (column, param) => sql<Triage>`select b.created_at, min(t.created_at) as first_test_at
    from cards b, ${dialect.jsonElements(sql.ref('b.linked_test_task_ids'))} as linked
    join cards t on t.id = linked.value and not ${isImported('t')}
    where ${within('b', column, param)} and b.card_type = 'bug' group by b.id, b.created_at`,
)

/** The mean hours from a bug to the earliest linked test card that was made here; null without any (B.14). */
async function triageHours(db: Db, population: Population): Promise<number | null> {
  const rows = await triages(db, 'board_id', population)
  return mean(rows.map(row => hoursBetween(row.created_at, row.first_test_at)))
}

/** How many cards and bugs a spec has. */
export interface SpecBugs {
  readonly spec_id: string
  readonly total_tasks: number
  readonly bugs: number
}

/** The specs that have bugs. */
const readSpecBugs = reader(
  ['board_id'],
  (column, param) => sql<SpecBugs>`select c.spec_id, count(*) as total_tasks,
      count(*) filter (where c.card_type = 'bug') as bugs
    from cards c where ${within('c', column, param)} and c.spec_id in (
      select b.spec_id from cards b where ${within('b', column, param)} and b.card_type = 'bug' and b.spec_id is not null)
    group by c.spec_id`,
)

/** The specs with bugs, highest share of bugs among their cards first (B.14). */
export function bugRates(specs: readonly Pick<SpecFact, 'id' | 'title'>[], found: readonly SpecBugs[]) {
  const titles = new Map(specs.map(spec => [spec.id, spec.title]))
  const rows = found.flatMap(({ spec_id, total_tasks, bugs }) => {
    const spec_title = titles.get(spec_id)
    if (spec_title === undefined) return []
    return [{ spec_id, spec_title, total_tasks, bugs, rate: percent(bugs, total_tasks, 0) }]
  })
  return ranked(
    rows,
    descending(row => row.rate),
    descending(row => row.bugs),
    ascending(row => row.spec_title),
    ascending(row => row.spec_id),
  )
}

/** The counts of each board, in the order of the boards. */
export function perBoard(boards: readonly Board[], { ideations, refinements, specs, sprints, cards }: Chain) {
  const groups = [ideations, refinements, specs, sprints].map(records => Map.groupBy(records, row => row.board_id))
  const talliesOf = Map.groupBy(cards, tally => tally.key)
  return boards.map(({ id, name }) => {
    const [ofIdeations, ofRefinements, ofSpecs, ofSprints] = groups.map(group => group.get(id)?.length ?? 0)
    const own = talliesOf.get(id) ?? []
    const { total, done } = cardCounts(own)
    return {
      board_id: id,
      board_name: name,
      ideations: ofIdeations!,
      refinements: ofRefinements!,
      specs: ofSpecs!,
      sprints: ofSprints!,
      cards: total,
      cards_done: done,
      bugs: typeCounts(own).bug,
    }
  })
}

/** The figures of all boards on which the caller has a permission (B.14). */
export async function overviewOf(ctx: Context, query: RangeQuery, permission: Permission) {
  const ways = await ctx.boardsAllowing(permission)
  const ids = ways.flatMap(({ way }) => way?.boardId ?? [])
  const population = { ids, board: null, range: rangeOf(query) }
  const boards = await boardsById(ctx.db, { ids: JSON.stringify(ids) })
  const chain = await readChain(ctx.db, population)
  const { ideations, refinements, specs, contents, sprints, cards } = chain
  const taskValidations = await readTaskValidations(ctx.db, 'board_id', population)
  const specValidations = await readSpecValidations(ctx.db, 'board_id', population)
  const reports = await readReports(ctx.db, 'board_id', population)
  const evaluatedSpecs = await readSpecEvaluations(ctx.db, 'board_id', population)
  const evaluatedSprints = await readSprintEvaluations(ctx.db, 'board_id', population)
  const window = velocityWindow('week', always, Date.parse(ctx.now()))
  const { events } = await readVelocityEvents(ctx.db, ids, window)

  const { total, done } = cardCounts(cards)
  const types = typeCounts(cards)
  const cycles = cycleTimes(chain)
  const bugs = bugCounts(cards)
  const judged = [...taskValidations.values()].filter(([first]) => first!.card_type !== 'test')
  const gate = taskGate(judged)
  return {
    total_ideations: ideations.length,
    ideations_done: doneCount(ideations),
    total_specs: specs.length,
    specs_done: doneCount(specs),
    specs_with_tests: contents.with_tests,
    total_sprints: sprints.length,
    spec_status_breakdown: specBreakdown(specs),
    sprint_status_breakdown: sprintBreakdown(sprints),
    card_status_breakdown: cardBreakdown(cards),
    total_business_rules: contents.rules,
    total_api_contracts: contents.contracts,
    specs_with_rules: contents.with_rules,
    specs_with_contracts: contents.with_contracts,
    total_cards_impl: types.normal,
    total_cards_test: types.test,
    total_cards_bug: types.bug,
    ...reportedOrFound(reports, gate),
    avg_cycle_hours: cycles.card,
    cycle_time: cycles,
    spec_validation_gate: specGate([...specValidations.values()]),
    task_validation_gate: gate,
    spec_evaluation: specEvaluations([...evaluatedSpecs.values()]),
    sprint_evaluation: sprintEvaluations([...evaluatedSprints.values()]),
    funnel: {
      ideations: ideations.length,
      refinements: refinements.length,
      specs: specs.length,
      sprints: sprints.length,
      cards: total,
      tests: types.test,
      bugs: types.bug,
      done,
    },
    velocity: weeksOf(window, events),
    boards: perBoard(boards, chain),
    total_bugs: bugs.total,
    bugs_open: bugs.open,
    bugs_done: bugs.done,
    bugs_by_severity: bugs.bySeverity,
    bug_rate_per_spec: bugRates(specs, await readSpecBugs(ctx.db, 'board_id', population)),
    avg_triage_hours: await triageHours(ctx.db, population),
  }
}
