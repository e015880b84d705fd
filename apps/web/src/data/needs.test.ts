import { operationByName, type Permission } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { changing, creating, creatingCard, creatingSmall, deleting, type MovedKind, readingHistory } from './needs.ts'

/** The permissions that a call needs according to the registry, apart from the state limit (access 2.3). */
const requiredFor = (name: string, body: Readonly<Record<string, unknown>> = {}): readonly Permission[] => {
  const { asks, permission } = operationByName.get(name)!
  return asks?.permissions({ params: {}, query: {}, body }, null) ?? [permission as Permission]
}

const fields: { readonly [K in MovedKind]: readonly string[] } = {
  ideation: ['title', 'problem_statement', 'assignee_id', 'labels'],
  refinement: ['title', 'in_scope', 'assignee_id', 'labels'],
  spec: [
    ...['title', 'acceptance_criteria', 'decisions', 'assignee_id', 'labels'],
    ...['test_scenarios', 'business_rules', 'api_contracts'],
  ],
  sprint: ['title', 'start_date', 'labels'],
  card: [
    ...['title', 'priority', 'due_date', 'assignee_id', 'labels', 'sprint_id'],
    ...['expected_behavior', 'observed_behavior', 'steps_to_reproduce', 'action_plan'],
  ],
}

const kinds = Object.keys(fields) as MovedKind[]

describe.each(kinds)('what the registry asks for on a %s', kind => {
  const limit = `${kind.toUpperCase()}S_WRITE_IN_DRAFT`

  test.each(fields[kind])('is asked for a change of %s', field => {
    expect(changing(kind, 'draft', field)).toEqual([...requiredFor(`update_${kind}`, { [field]: 'x' }), limit])
  })

  test('is asked for a deletion', () => {
    expect(deleting(kind, 'draft')).toEqual([...requiredFor(`delete_${kind}`), limit])
  })
})

test.each(['spec', 'sprint'] as const)('gate rules of a %s are all of one permission', kind => {
  for (const field of ['skip_test_coverage', 'validation_threshold', 'require_task_validation'])
    expect(changing(kind, 'draft', 'gate_rules').slice(0, 1)).toEqual(requiredFor(`update_${kind}`, { [field]: null }))
})

test.each(['ideation', 'refinement', 'spec', 'sprint'] as const)('a new %s, and its history', kind => {
  expect(creating(kind).toSorted()).toEqual(requiredFor(`create_${kind}`, { status: 'draft' }).toSorted())
  expect(readingHistory(kind)).toEqual(requiredFor(`list_${kind}_history`).slice(0, 1))
})

test('a new spec that is approved', () => {
  expect(creating('spec', 'approved').toSorted()).toEqual(requiredFor('create_spec', { status: 'approved' }).toSorted())
})

test.each(['normal', 'test', 'bug'] as const)('a new card of the type %s', card_type => {
  const links = card_type === 'test' ? { test_scenario_ids: ['s'] } : {}
  for (const status of ['not_started', 'started'])
    expect(creatingCard(card_type, status)).toEqual(
      requiredFor('create_card', { card_type, status, spec_id: 'a spec', ...links }),
    )
  expect(creatingSmall).toEqual(requiredFor('create_card', { card_type: 'normal', status: 'not_started' }).slice(0, 1))
})
