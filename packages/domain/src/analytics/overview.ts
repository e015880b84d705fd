import type { Permission } from '@specboard/contract'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { dialect } from '../storage/dialect.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import { bugCounts, cardBreakdown, doneOf, typeCounts, validationGroups } from './cards.ts'
import { specEvaluations, sprintEvaluations } from './evaluations.ts'
import {
  type CardFact,
  type Population,
  readSpecEvaluations,
  readSpecValidations,
  readSprintEvaluations,
  readTaskValidations,
  type SpecFact,
} from './facts.ts'
import { type Chain, cycleTimes, endedOf, readChain, specBreakdown, specContents, sprintBreakdown } from './funnel.ts'
import { specGate, taskGate } from './gates.ts'
import { readHappenings } from './happenings.ts'
import { hoursBetween, mean, percent } from './measures.ts'
import { always, boundsOf, type RangeQuery, rangeOf, velocityWindow } from './periods.ts'
import { ascending, descending, ranked } from './ranking.ts'
import { reportedOrFound } from './sprints.ts'
import { weeksOf } from './velocity.ts'

interface Board {
  readonly id: string
  readonly name: string
}

const boardsById = hot<{ ids: string }, Board>((db, param) => ({
  compile: () =>
    sql<Board>`select b.id, b.name from boards b where ${dialect.inList(sql.ref('b.id'), param('ids'))}
      order by b.created_at, b.id`.compile(db),
}))

interface Triage {
  readonly created_at: string
  readonly first_test_at: string
}

const triages = hot<{ ids: string; from: string; to: string }, Triage>((db, param) => ({
  compile: () =>
    sql<Triage>`select b.created_at, min(t.created_at) as first_test_at
      from cards b, ${dialect.jsonElements(sql.ref('b.linked_test_task_ids'))} as linked
      join cards t on t.id = linked.value
      where ${dialect.inList(sql.ref('b.board_id'), param('ids'))} and b.archived = 0 and b.card_type = 'bug'
        and b.created_at >= ${param('from')} and b.created_at <= ${param('to')}
      group by b.id, b.created_at`.compile(db),
}))

/** Mean hours from bugs to their earliest linked test card; null without any (B.14). */
async function triageHours(db: Db, { ids, range }: Population): Promise<number | null> {
  const rows = await triages(db, { ids: JSON.stringify(ids), ...boundsOf(range) })
  return mean(rows.map(row => hoursBetween(row.created_at, row.first_test_at)))
}

/** The specs with bugs, those with most bugs for their cards first (B.14). */
export function bugRates(specs: readonly SpecFact[], cards: readonly CardFact[]) {
  const bySpec = Map.groupBy(cards, card => card.spec_id)
  const rows = specs.flatMap(spec => {
    const own = bySpec.get(spec.id) ?? []
    const bugs = own.filter(card => card.card_type === 'bug').length
    if (bugs === 0) return []
    return [
      {
        spec_id: spec.id,
        spec_title: spec.title,
        total_tasks: own.length,
        bugs,
        rate: percent(bugs, own.length, 0),
      },
    ]
  })
  return ranked(
    rows,
    descending(row => row.rate),
    descending(row => row.bugs),
    ascending(row => row.spec_title),
    ascending(row => row.spec_id),
  )
}

/** What each board holds, in the order of the boards. */
export function perBoard(boards: readonly Board[], { ideations, refinements, specs, sprints, cards }: Chain) {
  const groups = [ideations, refinements, specs, sprints].map(records => Map.groupBy(records, row => row.board_id))
  const cardsOf = Map.groupBy(cards, card => card.board_id)
  return boards.map(({ id, name }) => {
    const [ofIdeations, ofRefinements, ofSpecs, ofSprints] = groups.map(group => group.get(id)?.length ?? 0)
    const own = cardsOf.get(id) ?? []
    return {
      board_id: id,
      board_name: name,
      ideations: ofIdeations!,
      refinements: ofRefinements!,
      specs: ofSpecs!,
      sprints: ofSprints!,
      cards: own.length,
      cards_done: doneOf(own).length,
      bugs: typeCounts(own).bug,
    }
  })
}

/** The figures of all boards on which the caller has a permission (B.14). */
export async function overviewOf(ctx: Context, query: RangeQuery, permission: Permission) {
  const ways = await ctx.boardsAllowing(permission)
  const ids = ways.flatMap(({ way }) => way?.boardId ?? [])
  const population = { ids, range: rangeOf(query) }
  const boards = await boardsById(ctx.db, { ids: JSON.stringify(ids) })
  const chain = await readChain(ctx.db, population)
  const { ideations, refinements, specs, sprints, cards } = chain
  const taskValidations = await readTaskValidations(ctx.db, 'board_id', population)
  const specValidations = await readSpecValidations(ctx.db, 'board_id', population)
  const evaluatedSpecs = await readSpecEvaluations(ctx.db, 'board_id', population)
  const evaluatedSprints = await readSprintEvaluations(ctx.db, 'board_id', population)
  const window = velocityWindow('week', always, Date.parse(ctx.now()))
  const { happenings } = await readHappenings(ctx.db, ids, window)

  const types = typeCounts(cards)
  const contents = specContents(specs)
  const cycles = cycleTimes(chain)
  const bugs = bugCounts(cards)
  const judged = cards.filter(card => card.card_type !== 'test')
  const gate = taskGate(validationGroups(judged, taskValidations))
  return {
    total_ideations: ideations.length,
    ideations_done: endedOf(ideations),
    total_specs: specs.length,
    specs_done: endedOf(specs),
    specs_with_tests: contents.withTests,
    total_sprints: sprints.length,
    spec_status_breakdown: specBreakdown(specs),
    sprint_status_breakdown: sprintBreakdown(sprints),
    card_status_breakdown: cardBreakdown(cards),
    total_business_rules: contents.rules,
    total_api_contracts: contents.contracts,
    specs_with_rules: contents.withRules,
    specs_with_contracts: contents.withContracts,
    total_cards_impl: types.normal,
    total_cards_test: types.test,
    total_cards_bug: types.bug,
    ...reportedOrFound(cards, gate),
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
      cards: cards.length,
      tests: types.test,
      bugs: types.bug,
      done: doneOf(cards).length,
    },
    velocity: weeksOf(window, happenings),
    boards: perBoard(boards, chain),
    total_bugs: bugs.bugs_total,
    bugs_open: bugs.bugs_open,
    bugs_done: cards.filter(card => card.card_type === 'bug' && card.status === 'done').length,
    bugs_by_severity: bugs.bugs_by_severity,
    bug_rate_per_spec: bugRates(specs, cards),
    avg_triage_hours: await triageHours(ctx.db, population),
  }
}
