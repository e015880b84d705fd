/** The figures of a board worked out from whole records, the slow and plain way, sharing no code with the product. */
import type { Card, Chained, Records, SpecValidation, Sprint } from './records.ts'

const round = (value: number) => Math.floor(value * 10 + 0.5) / 10
const average = (values: readonly (number | null | undefined)[]) => {
  const numbers = values.filter(value => typeof value === 'number')
  return numbers.length === 0 ? null : round(numbers.reduce((a, b) => a + b, 0) / numbers.length)
}
const rate = (part: number, whole: number, nothing: number | null = null) =>
  whole === 0 ? nothing : round((100 * part) / whole)
const count = <Item>(items: readonly Item[], test: (item: Item) => boolean) => items.filter(test).length
const hours = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000
const tally = (keys: readonly string[], values: readonly (string | null)[]) =>
  Object.fromEntries(keys.map(key => [key, count(values, value => value === key)]))

const cardStatuses = ['not_started', 'started', 'in_progress', 'validation', 'on_hold', 'done', 'cancelled']
const specStatuses = ['draft', 'review', 'approved', 'validated', 'in_progress', 'done', 'cancelled']
const sprintStatuses = ['draft', 'active', 'review', 'closed', 'cancelled']
const severities = ['critical', 'major', 'minor']

const endOf = (record: Chained, final: string) => {
  if (record.status !== final) return null
  const times = record.moves.filter(move => move.to === final).map(move => move.at)
  return times.sort().at(-1) ?? record.created_at
}
const cycleOf = (record: Chained, final: string) => {
  const end = endOf(record, final)
  return end === null ? null : hours(record.created_at, end)
}
const cardCycle = (card: Card) => (card.status === 'done' ? hours(card.created_at, card.moved_at) : null)
const lastReport = (card: Card) => card.conclusions.at(-1)
const isDone = (card: Card) => card.status === 'done'
const ofType = (type: string) => (card: Card) => card.card_type === type

function reasons(
  failed: readonly { threshold_violations: readonly string[]; recommendation: string }[],
  kinds: Record<string, string>,
) {
  const counted = Object.fromEntries([...Object.values(kinds), 'reject_recommendation'].map(name => [name, 0]))
  for (const record of failed) {
    for (const violation of record.threshold_violations) {
      const bucket = kinds[violation.split(' ')[0]!]
      if (bucket !== undefined) counted[bucket] = counted[bucket]! + 1
    }
    if (record.recommendation === 'reject') counted.reject_recommendation = counted.reject_recommendation! + 1
  }
  return counted
}

const taskKinds = { confidence: 'confidence_below', completeness: 'completeness_below', drift: 'drift_above' }
const specKinds = {
  completeness: 'completeness_below',
  assertiveness: 'assertiveness_below',
  ambiguity: 'ambiguity_above',
}
const failedOf = <Record extends { outcome: string }>(records: readonly Record[]) =>
  records.filter(record => record.outcome === 'failed')
const successesOf = (records: readonly { outcome: string }[]) => count(records, record => record.outcome === 'success')

const twoDecimals = (part: number, whole: number) => Math.floor((100 * part) / whole + 0.5) / 100

export function taskGate(cards: readonly Card[]) {
  const judged = cards.filter(card => card.validations.length > 0)
  const all = judged.flatMap(card => card.validations)
  return {
    total_submitted: all.length,
    total_success: successesOf(all),
    total_failed: failedOf(all).length,
    success_rate: rate(successesOf(all), all.length),
    avg_attempts_per_card: judged.length === 0 ? null : twoDecimals(all.length, judged.length),
    first_pass_rate: rate(
      count(judged, card => card.validations[0]!.outcome === 'success'),
      judged.length,
    ),
    avg_scores: {
      confidence: average(all.map(record => record.confidence)),
      completeness: average(all.map(record => record.completeness)),
      drift: average(all.map(record => record.drift)),
    },
    rejection_reasons: reasons(failedOf(all), taskKinds),
    cards_with_validation: judged.length,
  }
}

function specGate(groups: readonly (readonly SpecValidation[])[]) {
  const judged = groups.filter(group => group.length > 0)
  const all = judged.flat()
  return {
    total_submitted: all.length,
    total_success: successesOf(all),
    total_failed: failedOf(all).length,
    success_rate: rate(successesOf(all), all.length),
    avg_attempts_per_spec: judged.length === 0 ? null : twoDecimals(all.length, judged.length),
    avg_scores: {
      completeness: average(all.map(record => record.completeness)),
      assertiveness: average(all.map(record => record.assertiveness)),
      ambiguity: average(all.map(record => record.ambiguity)),
    },
    rejection_reasons: reasons(failedOf(all), specKinds),
    specs_with_validation: judged.length,
  }
}

function evaluations(
  groups: readonly (readonly { recommendation: string; overall_score: number; dimensions: unknown }[])[],
) {
  const all = groups.flat()
  const scores: Record<string, number[]> = {}
  for (const { dimensions } of all)
    for (const [name, value] of Object.entries(dimensions ?? {})) {
      const score = typeof value === 'number' ? value : (value as { score?: unknown } | null)?.score
      if (typeof score === 'number') scores[name] = [...(scores[name] ?? []), score]
    }
  const recommended = (word: string) => count(all, evaluation => evaluation.recommendation === word)
  return {
    counts: { total_submitted: all.length, total_approve: recommended('approve'), total_reject: recommended('reject') },
    changes: recommended('request_changes'),
    means: {
      approve_rate: rate(recommended('approve'), all.length),
      avg_overall_score: average(all.map(evaluation => evaluation.overall_score)),
      avg_dimension_scores: Object.fromEntries(Object.entries(scores).map(([name, values]) => [name, average(values)])),
    },
    judged: count(groups, group => group.length > 0),
  }
}

const sprintEvaluation = (sprints: readonly Sprint[]) => {
  const { counts, means, judged } = evaluations(sprints.map(sprint => sprint.evaluations ?? []))
  return { ...counts, ...means, sprints_with_evaluation: judged }
}

const specEvaluation = ({ specs }: Pick<Records, 'specs'>) => {
  const { counts, changes, means, judged } = evaluations(specs.map(spec => spec.evaluations))
  return { ...counts, total_request_changes: changes, ...means, specs_with_evaluation: judged }
}

export function funnel({ ideations, refinements, specs, sprints, cards }: Records) {
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const bugs = cards.filter(ofType('bug'))
  return {
    ideations: ideations.length,
    refinements: refinements.length,
    specs: specs.length,
    sprints: sprints.length,
    cards: cards.length,
    done: count(cards, isDone),
    ideations_done: count(ideations, record => record.status === 'done'),
    refinements_done: count(refinements, record => record.status === 'done'),
    specs_done: count(specs, record => record.status === 'done'),
    cards_impl: count(cards, ofType('normal')),
    cards_test: count(cards, ofType('test')),
    cards_bug: bugs.length,
    rules_count: sum(specs.map(spec => spec.business_rules?.length ?? 0)),
    contracts_count: sum(specs.map(spec => spec.api_contracts?.length ?? 0)),
    specs_with_rules: count(specs, spec => (spec.business_rules?.length ?? 0) > 0),
    specs_with_contracts: count(specs, spec => (spec.api_contracts?.length ?? 0) > 0),
    specs_with_tests: count(specs, spec => (spec.test_scenarios?.length ?? 0) > 0),
    bugs_total: bugs.length,
    bugs_open: count(bugs, bug => bug.status !== 'done' && bug.status !== 'cancelled'),
    bugs_by_severity: tally(
      severities,
      bugs.map(bug => bug.severity),
    ),
    spec_status_breakdown: tally(
      specStatuses,
      specs.map(spec => spec.status),
    ),
    card_status_breakdown: tally(
      cardStatuses,
      cards.map(card => card.status),
    ),
    sprint_status_breakdown: tally(
      sprintStatuses,
      sprints.map(sprint => sprint.status),
    ),
    avg_cycle_hours: average(cards.map(cardCycle)),
    cycle_time_by_phase: {
      ideation: average(ideations.map(record => cycleOf(record, 'done'))),
      refinement: average(refinements.map(record => cycleOf(record, 'done'))),
      spec: average(specs.map(record => cycleOf(record, 'done'))),
      sprint: average(sprints.map(record => cycleOf(record, 'closed'))),
      card: average(cards.map(cardCycle)),
    },
  }
}

export const quality = ({ cards }: Records) => ({
  conclusion_reported: cards
    .filter(card => isDone(card) && card.conclusions.length > 0)
    .map(card => ({
      card_id: card.id,
      title: card.title,
      card_type: card.card_type,
      completeness: lastReport(card)!.completeness,
      drift: lastReport(card)!.drift,
    })),
  validation_reported: cards
    .filter(card => isDone(card) && card.validations.length > 0)
    .map(card => {
      const record = card.validations.filter(each => each.outcome === 'success').at(-1) ?? card.validations.at(-1)!
      const { confidence, completeness, drift, outcome } = record
      return {
        card_id: card.id,
        title: card.title,
        card_type: card.card_type,
        confidence,
        completeness,
        drift,
        outcome,
      }
    }),
})

/** References are written as indices or exact texts, as the service demands. */
const named = (references: readonly string[], texts: readonly string[] | null) =>
  new Set(references.map(reference => (/^\d+$/.test(reference) ? Number(reference) : (texts ?? []).indexOf(reference))))
    .size

export const coverage = ({ specs, cards }: Records) =>
  specs.map(spec => {
    const counting = new Set(
      cards.filter(card => card.spec_id === spec.id && card.status !== 'cancelled').map(card => card.id),
    )
    const linked = (items: readonly { linked_task_ids: readonly string[] | null }[]) =>
      count(items, item => (item.linked_task_ids ?? []).some(id => counting.has(id)))
    const criteria = spec.acceptance_criteria ?? []
    const requirements = spec.functional_requirements ?? []
    const scenarios = spec.test_scenarios ?? []
    const covered = named(
      scenarios.flatMap(scenario => scenario.linked_criteria ?? []),
      criteria,
    )
    const ruled = named(
      (spec.business_rules ?? []).flatMap(rule => rule.linked_requirements ?? []),
      requirements,
    )
    const contracted = named(
      (spec.api_contracts ?? []).flatMap(item => item.linked_requirements ?? []),
      requirements,
    )
    const technical = (spec.technical_requirements ?? []).filter(item => typeof item !== 'string')
    const active = (spec.decisions ?? []).filter(decision => decision.status === 'active')
    const statuses = [...new Set(scenarios.map(scenario => scenario.status))]
    return {
      spec_id: spec.id,
      title: spec.title,
      total_ac: criteria.length,
      covered_ac: covered,
      total_scenarios: scenarios.length,
      scenario_status_counts: tally(
        statuses,
        scenarios.map(scenario => scenario.status),
      ),
      business_rules_count: spec.business_rules?.length ?? 0,
      api_contracts_count: spec.api_contracts?.length ?? 0,
      fr_with_rules_pct: rate(ruled, requirements.length, 0),
      fr_with_contracts_pct: rate(contracted, requirements.length, 0),
      ac_coverage_pct: rate(covered, criteria.length, 100),
      fr_coverage_pct: rate(ruled, requirements.length, 100),
      decisions_coverage_pct: rate(linked(active), active.length, 100),
      decisions_total: active.length,
      tr_task_linkage_pct: rate(linked(technical), technical.length, 100),
      trs_total: technical.length,
    }
  })

const mostRefused = <Row extends { failed_count: number; attempts: number; title: string }>(rows: Row[]) =>
  rows.sort(
    (a, b) =>
      b.failed_count - a.failed_count ||
      b.attempts - a.attempts ||
      (a.title < b.title ? -1 : a.title > b.title ? 1 : 0),
  )

export const validations = (records: Records) => ({
  spec_validation_gate: {
    ...specGate(records.specs.map(spec => spec.submissions)),
    per_spec: mostRefused(
      records.specs.flatMap(spec => {
        const last = spec.submissions.at(-1)
        if (last === undefined) return []
        return [
          {
            spec_id: spec.id,
            title: spec.title,
            status: spec.status,
            attempts: spec.submissions.length,
            last_outcome: last.outcome,
            last_completeness: last.completeness,
            last_assertiveness: last.assertiveness,
            last_ambiguity: last.ambiguity,
            success_count: successesOf(spec.submissions),
            failed_count: failedOf(spec.submissions).length,
            rejection_reasons: reasons(failedOf(spec.submissions), specKinds),
            current_validation_id: spec.current_validation_id,
          },
        ]
      }),
    ),
  },
  task_validation_gate: {
    ...taskGate(records.cards),
    per_card: mostRefused(
      records.cards.flatMap(card => {
        const last = card.validations.at(-1)
        if (last === undefined) return []
        return [
          {
            card_id: card.id,
            title: card.title,
            card_type: card.card_type,
            spec_id: card.spec_id,
            sprint_id: card.sprint_id,
            status: card.status,
            attempts: card.validations.length,
            last_outcome: last.outcome,
            last_confidence: last.confidence,
            last_completeness: last.completeness,
            last_drift: last.drift,
            success_count: successesOf(card.validations),
            failed_count: failedOf(card.validations).length,
            rejection_reasons: reasons(failedOf(card.validations), taskKinds),
          },
        ]
      }),
    ),
  },
  spec_evaluation: specEvaluation(records),
  sprint_evaluation: sprintEvaluation(records.sprints),
})

const inSprint = (cards: readonly Card[], sprint: Sprint) => cards.filter(card => card.sprint_id === sprint.id)

export function sprints(records: Records) {
  const rows = records.sprints
    .map(sprint => {
      const cards = inSprint(records.cards, sprint)
      const gate = taskGate(cards)
      const last = sprint.evaluations?.at(-1)
      return {
        age: sprint.created_at,
        row: {
          sprint_id: sprint.id,
          title: sprint.title,
          status: sprint.status,
          spec_id: sprint.spec_id,
          total_cards: cards.length,
          done_cards: count(cards, isDone),
          completion_rate: rate(count(cards, isDone), cards.length, 0),
          avg_completeness: average(cards.map(card => lastReport(card)?.completeness)) ?? gate.avg_scores.completeness,
          avg_drift: average(cards.map(card => lastReport(card)?.drift)) ?? gate.avg_scores.drift,
          card_status_breakdown: tally(
            cardStatuses,
            cards.map(card => card.status),
          ),
          evaluations_count: sprint.evaluations?.length ?? 0,
          last_evaluation:
            last === undefined
              ? null
              : {
                  overall_score: last.overall_score,
                  recommendation: last.recommendation,
                  evaluator_name: last.evaluator_name,
                  created_at: last.created_at,
                },
          task_validation_gate: {
            total_submitted: gate.total_submitted,
            total_success: gate.total_success,
            total_failed: gate.total_failed,
            rejection_reasons: gate.rejection_reasons,
            first_pass_rate: gate.first_pass_rate,
          },
        },
      }
    })
    .sort((a, b) => b.row.total_cards - a.row.total_cards || (a.age < b.age ? -1 : 1))
    .map(({ row }) => row)
  return {
    summary: {
      total_sprints: rows.length,
      status_breakdown: tally(
        sprintStatuses,
        rows.map(row => row.status),
      ),
      avg_completion_rate: average(rows.map(row => row.completion_rate)),
      sprint_evaluation: sprintEvaluation(records.sprints),
    },
    sprints: rows,
  }
}

export function agents({ cards, specs, agentNames }: Records) {
  const tasks = cards.flatMap(card => card.validations)
  const specReviews = specs.flatMap(spec => spec.submissions)
  const actors = new Set([
    ...cards.map(card => card.created_by),
    ...[...tasks, ...specReviews].map(review => review.reviewer_id),
  ])
  return [...actors]
    .map(actor => {
      const own = cards.filter(card => card.created_by === actor)
      const done = own.filter(isDone)
      const reviewed = tasks.filter(review => review.reviewer_id === actor)
      const judged = specReviews.filter(review => review.reviewer_id === actor)
      const firstPass = taskGate(own).first_pass_rate
      return {
        actor_id: actor,
        actor_name: agentNames.get(actor) ?? actor.slice(0, 20),
        total_cards: own.length,
        done_cards: done.length,
        avg_completeness: average(done.map(card => lastReport(card)?.completeness)),
        avg_drift: average(done.map(card => lastReport(card)?.drift)),
        task_validations_submitted: reviewed.length,
        task_validation_success_rate: rate(successesOf(reviewed), reviewed.length),
        spec_validations_submitted: judged.length,
        spec_validation_success_rate: rate(successesOf(judged), judged.length),
        first_pass_acceptance: firstPass,
        first_pass_acceptance_rate: firstPass,
      }
    })
    .sort(
      (a, b) =>
        b.done_cards +
          b.task_validations_submitted +
          b.spec_validations_submitted -
          (a.done_cards + a.task_validations_submitted + a.spec_validations_submitted) ||
        b.total_cards - a.total_cards ||
        (a.actor_name < b.actor_name ? -1 : 1),
    )
}

/** Blockers by type and what they are about, in their order. */
export function blockers({ cards, specs, allCards }: Records): string[] {
  const open = ['not_started', 'started', 'in_progress', 'validation', 'on_hold']
  const isOpen = (id: string) => !['done', 'cancelled'].includes(allCards.get(id)?.status ?? 'done')
  const ofCards = cards.flatMap(card => [
    ...(open.includes(card.status) && card.dependencies.some(isOpen)
      ? [`dependency_blocked ${card.id} ${card.dependencies.filter(isOpen).join()}`]
      : []),
    ...(card.status === 'on_hold' ? [`on_hold ${card.id}`] : []),
  ])
  const ofSpecs = specs.flatMap(spec => {
    const succeeded = spec.submissions.some(record => record.active && record.outcome === 'success')
    if (spec.status === 'approved') return succeeded ? [] : [`spec_pending_validation ${spec.id}`]
    const empty = !cards.some(card => card.spec_id === spec.id)
    return ['validated', 'in_progress'].includes(spec.status) && empty ? [`spec_no_cards ${spec.id}`] : []
  })
  const covered = new Set(
    cards
      .filter(card => card.card_type === 'test' && card.status !== 'cancelled')
      .flatMap(card => card.test_scenario_ids),
  )
  const ofScenarios = specs
    .filter(spec => spec.status !== 'done' && spec.status !== 'cancelled')
    .flatMap(spec =>
      (spec.test_scenarios ?? [])
        .filter(({ id }) => !covered.has(id))
        .map(({ id }) => `uncovered_scenario ${spec.id} ${id}`),
    )
  return [...ofCards, ...ofSpecs, ...ofScenarios]
}

const week = (time: string) => {
  const day = new Date(`${time.slice(0, 10)}T00:00:00.000Z`)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}

/** What each week of a velocity counts. */
export const velocity = ({ cards, specs, sprints: all }: Records, weeks: readonly string[]) =>
  weeks.map(name => {
    const inWeek = (time: string) => week(time) === name
    const completed = (type: string) =>
      count(cards, card => card.card_type === type && isDone(card) && inWeek(card.moved_at))
    const moved = (records: readonly Chained[], final: string) =>
      count(
        records.flatMap(record => record.moves),
        move => move.to === final && inWeek(move.at),
      )
    return {
      week: name,
      impl: completed('normal'),
      test: completed('test'),
      bug: completed('bug'),
      validation_bounce: count(failedOf(cards.flatMap(card => card.validations)), record => inWeek(record.created_at)),
      spec_done: moved(specs, 'done'),
      sprint_done: moved(all, 'closed'),
    }
  })

/** The fields of the overview that one board alone settles. */
export function overview(records: Records) {
  const { cards, specs, allCards } = records
  const counted = funnel(records)
  const bugs = cards.filter(ofType('bug'))
  const triages = bugs.flatMap(bug => {
    const times = bug.linked_test_task_ids.flatMap(id => allCards.get(id)?.created_at ?? []).sort()
    return times[0] === undefined ? [] : [hours(bug.created_at, times[0])]
  })
  const rates = specs.flatMap(spec => {
    const own = cards.filter(card => card.spec_id === spec.id)
    const found = count(own, ofType('bug'))
    return found === 0
      ? []
      : [
          {
            spec_id: spec.id,
            spec_title: spec.title,
            total_tasks: own.length,
            bugs: found,
            rate: rate(found, own.length, 0)!,
          },
        ]
  })
  return {
    total_bugs: bugs.length,
    bugs_open: counted.bugs_open,
    bugs_done: count(bugs, isDone),
    avg_completeness:
      average(cards.map(card => lastReport(card)?.completeness)) ?? taskGate(cards).avg_scores.completeness,
    cycle_time: counted.cycle_time_by_phase,
    task_validation_gate: taskGate(cards.filter(card => card.card_type !== 'test')),
    avg_triage_hours: average(triages),
    bug_rates: rates.map(row => `${row.rate} ${row.bugs} ${row.spec_id}`).sort(),
  }
}
