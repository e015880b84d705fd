import type { OperationName } from '@specboard/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../kernel/context.ts'
import { Bench, board, makeBoard, type Records, step } from './drawn-board.testing.ts'
import { kinds, type MovedKind } from './kinds.ts'

let bench: Bench

beforeAll(async () => {
  bench = await Bench.start()
})

afterAll(() => bench.stop())

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All of it.',
  drift: 0,
  drift_justification: 'As planned.',
}

const because = 'It is as it should be.'

/** Proper values for every operation that depends on a record, by name. */
const bodies: Readonly<Record<string, object>> = {
  move_card: report,
  evaluate_ideation: { domains: 1, ambiguity: 1, dependencies: 1 },
  submit_spec_validation: {
    completeness: 90,
    completeness_justification: because,
    assertiveness: 90,
    assertiveness_justification: because,
    ambiguity: 10,
    ambiguity_justification: because,
    general_justification: because,
    recommendation: 'approve',
  },
  submit_spec_evaluation: {
    breakdown_completeness: 90,
    breakdown_justification: because,
    granularity: 90,
    granularity_justification: because,
    dependency_coherence: 90,
    dependency_justification: because,
    test_coverage_quality: 90,
    test_coverage_justification: because,
    overall_score: 90,
    overall_justification: because,
    recommendation: 'approve',
  },
  submit_sprint_evaluation: { overall_score: 90, recommendation: 'approve' },
  submit_task_validation: { outcome: 'success', summary: because },
  record_scenario_result: { scenario_id: 's0', status: 'ready' },
  update_ideation: { labels: ['a'] },
  update_refinement: { labels: ['a'] },
  update_spec: { labels: ['a'] },
  update_sprint: { labels: ['a'] },
  update_card: { labels: ['a'] },
}

type Act = { readonly to: string } | { readonly operation: string }

/** The prediction of get_allowed_moves for an act, and the call that performs the act. */
async function foreseen(caller: Caller, kind: MovedKind, entity_id: string, act: Act) {
  const { name, target } = kinds[kind].mover
  const to = 'to' in act ? act.to : undefined
  const query = { entity_type: kind, entity_id, ...(to !== undefined && { to }) }
  const { body, refusal } = await bench.call(caller, 'get_allowed_moves', query)
  const operation = 'operation' in act ? act.operation : name
  const args = { [`${kind}_id`]: entity_id, ...bodies[operation], ...(to !== undefined && { [target]: to }) }
  const prospect =
    to !== undefined
      ? body?.moves[0]
      : body?.operations.find((option: { operation: string }) => option.operation === operation)
  return { refusal, prospect, operation: operation as OperationName, args, status: body?.status }
}

/** The moves among next actions that lead to the moved record's current status. */
const idle = (
  prospect: { readonly blockers: readonly { readonly next_actions: readonly Advised[] }[] },
  standing: Standing,
) =>
  prospect.blockers
    .flatMap(({ next_actions }) => next_actions)
    .filter(({ name, arguments: args }) => {
      const { mover } = kinds[standing.kind]
      const isOfIt = name === mover.name && args[`${standing.kind}_id`] === standing.id
      return isOfIt && args[mover.target] === standing.status
    })

interface Advised {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

interface Standing {
  readonly kind: MovedKind
  readonly id: string
  readonly status: string
}

/** Performs an action, and compares the result with the prediction. */
async function compare(caller: Caller, kind: MovedKind, entity_id: string, act: Act): Promise<string> {
  const { refusal: unread, prospect, operation, args, status } = await foreseen(caller, kind, entity_id, act)
  if (unread !== undefined) {
    expect(unread).toMatchObject({ code: 'FORBIDDEN', extra: { permission: kinds[kind].reads } })
    return 'unread'
  }
  expect(idle(prospect, { kind, id: entity_id, status })).toEqual([])
  const { refusal } = await bench.call(caller, operation, args)
  // The spec lacks the scenario whose result is recorded.
  if (refusal?.code === 'NOT_FOUND') return 'values'
  if (operation.startsWith('update_') && refusal?.code === 'FORBIDDEN') {
    // The refusal names the permission of the field that is sent; another field may be allowed.
    expect(caller).not.toBe(bench.owner)
    return 'field'
  }
  if (prospect.state === 'forbidden') {
    expect(refusal).toMatchObject({
      code: 'FORBIDDEN',
      extra: { permission: prospect.permission, missing: prospect.missing },
    })
  } else if (prospect.state === 'blocked') {
    const { next_actions, ...detail } = prospect.blockers[0]
    expect(detail).toEqual(JSON.parse(JSON.stringify(refusal?.detail ?? null)))
    expect(prospect.gates.some(({ state }: { state: string }) => state === 'blocked')).toBe(true)
  } else {
    expect([operation, refusal?.detail]).toEqual([operation, undefined])
    expect(prospect.blockers).toEqual([])
  }
  return prospect.state
}

describe('over drawn boards', () => {
  test('what is open succeeds, and what is blocked is refused by its first blocker', async () => {
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(board, fc.array(step, { minLength: 12, maxLength: 24 }), async (plan, steps) => {
        const records: Records = await makeBoard(bench, plan)
        for (const { kind, which, actor, act } of steps) {
          const ids = records[kind]
          const id = ids[which % Math.max(ids.length, 1)]
          const caller = actor === null ? bench.owner : bench.crew[actor % bench.crew.length]!
          if (id === undefined) continue
          outcomes.add(`${kind} ${await compare(caller, kind, id, act)}`)
        }
      }),
      { numRuns: 60 },
    )
    const expected = Object.keys(kinds).flatMap(kind =>
      ['open', 'blocked', 'forbidden'].map(state => `${kind} ${state}`),
    )
    expect(expected.filter(name => !outcomes.has(name))).toEqual([])
  }, 120_000)
})
