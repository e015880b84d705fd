import { type ErrorCode, errorStatus, GateName } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { planning as germanPlanning } from '../messages/de/planning.ts'
import { refusals as german } from '../messages/de/refusals.ts'
import { planning as englishPlanning } from '../messages/en/planning.ts'
import { refusals as english } from '../messages/en/refusals.ts'
import { factsOf, gateWords } from './gate-facts.ts'
import { refusalOfDetail } from './refusal.ts'

/** A detail as the service sends it, without its message. */
type Detail = Readonly<Record<string, unknown>>

const items = [{ id: '1', ref: 'SHP-2', title: 'Log in', status: 'started' }]

/** The refusals by which each gate can be closed, with the facts that they carry. */
const closed: Readonly<Record<z.output<typeof GateName>, Readonly<Partial<Record<ErrorCode, Detail>>>>> = {
  archived: { ARCHIVED: { entity_type: 'spec' } },
  claim: { CLAIMED: { claim: { agent_name: 'Otter' } }, NOT_CLAIMED: {} },
  attempts: { ATTEMPTS_USED_UP: { attempts: { used: 3, limit: 3 } } },
  transition: { INVALID_TRANSITION: { from: 'draft', to: 'done', allowed: ['review'] } },
  scope: { SCOPE_REQUIRED: { missing: ['in_scope'] }, REFINEMENT_REQUIRED: { missing: ['refinement'] } },
  coverage: { COVERAGE_REQUIRED: { gate: 'test', missing: [{ gate: 'test', id: 'ts_1', label: 'Pays' }] } },
  spec_validation: { SPEC_VALIDATION_REQUIRED: { missing: ['spec_validation'] } },
  evaluation: {
    EVALUATION_REQUIRED: {},
    EVALUATION_REJECTED: { evaluators: [{ evaluator_name: 'Vole', overall_score: 20 }] },
    EVALUATION_BELOW_THRESHOLD: { average: 61.5, threshold: 70 },
  },
  criteria: { CRITERIA_UNCOVERED: { missing: [{ index: 0, text: 'It pays' }] } },
  sprints: { SPRINTS_OPEN: { missing: items }, NO_CLOSED_SPRINT: {} },
  tasks: { TASKS_OPEN: { missing: items } },
  scenarios: {
    SCENARIOS_OPEN: { missing: [{ scenario_id: 'ts_1', title: 'Pays', status: 'draft' }] },
    SCENARIOS_NOT_RUN: { details: [{ scenario_id: 'ts_1', title: 'Pays', status: 'draft' }] },
    COVERAGE_REQUIRED: { gate: 'scenarios', missing: [{ scenario_id: 'ts_1', title: 'Pays', status: 'draft' }] },
  },
  cards: { SPRINT_EMPTY: {} },
  evidence: { TEST_EVIDENCE_REQUIRED: { missing: [{ scenario_id: 'ts_1', required: ['test_file_path'] }] } },
  spec: { SPEC_NOT_READY: { spec_status: 'draft', required_status: 'in_progress' } },
  sprint: { SPRINT_REQUIRED: { details: items }, SPRINT_NOT_ACTIVE: { sprint_status: 'draft' } },
  validation: { VALIDATION_REQUIRED: { missing: ['task_validation'] } },
  bug_test: {
    TEST_TASK_REQUIRED: { missing: ['linked_test_task_ids', 'regression_test', 'check'] },
    TEST_TASK_INVALID: { details: [{ test_task_id: '1', problem: 'older_than_bug' }] },
  },
  report: { CONCLUSION_REQUIRED: { missing: ['conclusion', 'drift_justification'] }, CHECK_FAILED: {} },
  dependencies: { DEPENDENCIES_NOT_MET: { details: items } },
  status: {
    INVALID_STATE: { status: 'draft' },
    EVALUATION_NOT_OPEN: { status: 'draft' },
    IDEATION_NOT_DONE: { status: 'draft' },
    REFINEMENT_NOT_DONE: { status: 'draft' },
    SPEC_NOT_APPROVED: { status: 'draft' },
    SPEC_NOT_VALIDATED: { status: 'draft' },
    CARD_NOT_IN_VALIDATION: { status: 'started' },
    VALIDATION_NOT_APPLICABLE: {},
  },
  lock: {
    IDEATION_LOCKED: { status: 'done' },
    REFINEMENT_LOCKED: { status: 'done' },
    SPEC_LOCKED: { spec_status: 'validated', details: 'Move the spec to draft first.' },
  },
  reviewer: { REVIEWER_NOT_SEPARATE: { agents: ['0b0d'], roles: {} } },
  person: { PERSON_REQUIRED: { needs: 'present', persons: [{ id: '1', name: 'Ada' }] }, REVIEWER_NOT_SEPARATE: {} },
  proof: {
    PROOF_REQUIRED: {
      required_tier: 'ci',
      missing_total: 60,
      missing: [{ ref: 'SHP-2', title: 'Pays', problem: 'tier' }],
    },
  },
  change: {
    CHANGE_NOT_MERGED: { missing: [{ title: null, reason: 'no_change' }], ways: [{ text: 'Name the card.' }] },
  },
  column: { COLUMN_FULL: { board_id: '0b0d', status: 'in_progress', limit: 3, count: 3 } },
  checks: { CHECKS_NOT_GREEN: { missing: [{ name: 'lint', state: 'failure', reason: 'failing' }] } },
}

/** The facts in refusals of single calls, for those that carry any. */
const facts: Readonly<Partial<Record<ErrorCode, Detail>>> = {
  LIMIT_REACHED: { limit: 200, what: 'saved_searches' },
  PATHS_OVERLAP: { overlaps: [{ agent_name: 'Otter', ref: 'SHP-2' }] },
  SCENARIO_LIMIT: { card_id: null, limit: 3, count: 4 },
}

const rows = Object.entries(closed).flatMap(([gate, codes]) =>
  Object.entries(codes).map(([code, detail]) => [gate, code as ErrorCode, detail] as const),
)

/** What no person should read: the service's own names of operations, fields and statuses, and ids. */
const foreign = /[a-z]_[a-z]|undefined|\bNaN\b|\bts_|0b0d/

test('every gate has a name and a refusal, and every 409 is worded as that of a gate or of a single call', () => {
  expect(Object.keys(closed).toSorted()).toEqual(GateName.options.toSorted())
  const conflicts = Object.entries(errorStatus).flatMap(([code, status]) => (status === 409 ? [code] : []))
  const worded = Object.keys(english.gates)
  expect([...worded, ...Object.keys(english.calls)].toSorted()).toEqual(conflicts.toSorted())
  expect([...new Set(rows.map(([, code]) => code))].toSorted()).toEqual(worded.toSorted())
  for (const names of [englishPlanning.gates, germanPlanning.gates])
    expect(Object.keys(names).toSorted()).toEqual(GateName.options.toSorted())
})

describe.each(rows)('the gate "%s", closed by %s', (_, code, facts) => {
  const detail = { error: code, message: 'Call move_card.', ...facts }

  test('is told in the words of the page, in both languages', () => {
    const [one, other] = [english, german].map(({ gates }) => gates[code as keyof typeof gates]?.(factsOf(detail)))
    for (const words of [one, other]) {
      expect(words).toMatch(/^.*\.$/)
      expect(words).not.toMatch(foreign)
    }
    expect(other).not.toBe(one)
    expect(gateWords(code, detail)).toBe(one)
  })

  test('lists what is missing without names of the service', () => {
    const { message, missing } = refusalOfDetail(detail)
    expect(message).not.toBe(detail.message)
    for (const { text } of missing) expect(text).not.toMatch(foreign)
  })
})

test.each(Object.keys(english.calls) as (keyof typeof english.calls)[])('a call refused by %s is told so', code => {
  for (const detail of [{}, facts[code] ?? {}]) {
    const [one, other] = [english, german].map(({ calls }) => calls[code](factsOf(detail)))
    for (const words of [one, other]) {
      expect(words).toMatch(/^.*\.$/)
      expect(words).not.toMatch(foreign)
    }
    expect(other).not.toBe(one)
    expect(refusalOfDetail({ error: code, message: 'Call move_card.', ...detail }).message).toBe(one)
  }
})

test('counts, limits and names come from the facts', () => {
  const says = (code: ErrorCode, detail: Detail) => gateWords(code, detail)
  expect(says('TASKS_OPEN', { missing: [...items, ...items] })).toBe('2 cards are open. Finish or cancel them first.')
  expect(says('PROOF_REQUIRED', closed.proof.PROOF_REQUIRED!)).toMatch(/^60 parts lack/)
  expect(says('EVALUATION_REJECTED', { evaluators: [{ evaluator_name: 'Vole' }] })).toMatch(/^Vole rejected it/)
  expect(says('SPEC_NOT_READY', { spec_status: 'draft' })).toMatch(/Its status: draft\.$/)
})

test('a state without a status that the pages know keeps the words of the service', () => {
  expect(gateWords('INVALID_STATE', { status: 'standing' })).toBeUndefined()
  expect(refusalOfDetail({ error: 'INVALID_STATE', message: 'It stays.', status: 'standing' }).message).toBe(
    'It stays.',
  )
})

test('parts and reasons are in words', () => {
  const missing = (code: ErrorCode, detail: Detail) =>
    refusalOfDetail({ error: code, message: '', ...detail }).missing.map(({ text }) => text)
  expect(missing('CONCLUSION_REQUIRED', closed.report.CONCLUSION_REQUIRED!)).toEqual([
    ...['What was done', 'Why it departs from the plan'],
  ])
  expect(missing('CHANGE_NOT_MERGED', closed.change.CHANGE_NOT_MERGED!)).toEqual(['No change is linked to the card'])
  expect(missing('COVERAGE_REQUIRED', closed.coverage.COVERAGE_REQUIRED!)).toEqual(['Pays (no test card)'])
  expect(missing('REVIEWER_NOT_SEPARATE', closed.reviewer.REVIEWER_NOT_SEPARATE!)).toEqual([])
})
