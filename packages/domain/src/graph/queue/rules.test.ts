import { describe, expect, test } from 'vitest'
import type { Entry } from '../../kernel/events.ts'
import { dependentsOf, requestsOf } from './rules.ts'

const entry = (type: string, action: string, more: Partial<Entry> = {}): Entry => ({
  boardId: 'b',
  entity: { type, id: 'x' },
  activity: { action },
  ...more,
})

const short = (of: Entry) => requestsOf(of).map(({ type, id, event, priority }) => `${type}:${id} ${event} ${priority}`)

const updated = (type: string, ...fields: string[]) =>
  entry(type, `${type}_updated`, { history: { action: 'updated', changes: fields.map(field => ({ field })) } })

describe('a write queues', () => {
  test.each(['ideation', 'refinement', 'spec', 'sprint'])('%s: created, moved, archived, restored, deleted', type => {
    for (const verb of ['created', 'moved', 'archived', 'restored', 'deleted'])
      expect(short(entry(type, `${type}_${verb}`))).toEqual([`${type}:x ${type}.${verb} normal`])
    expect(short({ boardId: 'b', entity: { type, id: 'x' }, history: { action: 'archived' } })).toEqual([
      `${type}:x ${type}.archived normal`,
    ])
    expect(short(updated(type, 'title'))).toEqual([`${type}:x ${type}.updated normal`])
  })

  test.each([
    ['ideation', 'labels'],
    ['refinement', 'in_scope'],
    ['spec', 'assignee_id'],
    ['sprint', 'start_date'],
  ])('nothing of %s when only %s changed', (type, field) => expect(short(updated(type, field))).toEqual([]))

  test('a spec whose mockups changed', () =>
    expect(short(updated('spec', 'screen_mockups'))).toEqual(['spec:x spec.updated normal']))

  test('the spec of an answer, with priority high when its version was raised', () => {
    expect(short(entry('spec', 'spec_question_answered'))).toEqual(['spec:x spec.question_answered normal'])
    expect(short(entry('spec', 'spec_question_added'))).toEqual([])
    expect(
      short({
        ...updated('spec', 'context'),
        domain: [
          { name: 'spec.updated', spec_id: 'x' },
          { name: 'spec.version_bumped', spec_id: 'x' },
        ],
      }),
    ).toEqual(['spec:x spec.version_bumped high'])
  })

  test.each([
    ['architecture.created', 'spec'],
    ['architecture.updated', 'card'],
    ['architecture.deleted', 'ideation'],
  ])('the parent of a design: %s of %s', (name, parent_type) =>
    expect(
      short(entry('architecture_design', name.replace('.', '_'), { domain: [{ name, parent_type, parent_id: 'p' }] })),
    ).toEqual([`${parent_type}:p ${name} normal`]),
  )

  test.each([
    ['card_created', [{ name: 'card.created' }], ['card:x card.created normal']],
    ['card_moved', [{ name: 'card.moved' }], ['card:x card.moved normal', 'spec:s card.moved normal']],
    [
      'card_moved',
      [{ name: 'card.moved' }, { name: 'card.cancelled' }],
      ['card:x card.cancelled high', 'spec:s card.moved normal'],
    ],
    [
      'validation_submitted',
      [{ name: 'card.validation_submitted' }],
      ['card:x card.validation_submitted normal', 'spec:s card.validation_submitted normal'],
    ],
    [
      'card_updated',
      [{ name: 'card.conclusion_added' }],
      ['card:x card.conclusion_added normal', 'spec:s card.conclusion_added normal'],
    ],
    ['card_updated', [{ name: 'card.severity_changed' }], ['card:x card.severity_changed normal']],
    ['dependency_added', [], ['card:x card.dependency_added normal']],
    ['test_task_linked', [], ['card:x card.test_task_linked normal']],
    ['card_archived', [], ['card:x card.archived normal']],
    ['card_deleted', [], ['card:x card.deleted normal']],
    ['comment_added', [], []],
    ['attachment_uploaded', [], []],
    ['knowledge_added', [], []],
  ])('of a card: %s %j', (action, domain, expected) =>
    expect(
      short(entry('card', action, { domain: domain.map(event => ({ ...event, card_id: 'x', spec_id: 's' })) })),
    ).toEqual(expected),
  )

  test('a card whose fields read by extraction changed', () => {
    const fields = (...names: string[]) =>
      entry('card', 'card_updated', { activity: { action: 'card_updated', details: { fields: names } } })
    expect(short(fields('title'))).toEqual(['card:x card.updated normal'])
    expect(short(fields('position', 'due_date'))).toEqual([])
  })

  test('both ends of a link between card and spec, and cards that change sprint', () => {
    expect(
      short(
        entry('spec', 'spec_card_linked', { domain: [{ name: 'card.linked_to_spec', spec_id: 'x', card_id: 'c' }] }),
      ),
    ).toEqual(['card:c card.linked_to_spec normal', 'spec:x card.linked_to_spec normal'])
    expect(
      short(entry('spec', 'spec_task_linked', { domain: [{ name: 'spec.task_linked', spec_id: 'x', card_id: 'c' }] })),
    ).toEqual(['card:c spec.task_linked normal', 'spec:x spec.task_linked normal'])
    expect(
      short(entry('sprint', 'sprint_tasks_assigned', { domain: [{ name: 'card.sprint_changed', card_id: 'c' }] })),
    ).toEqual(['card:c card.sprint_changed normal'])
  })

  test('records that are deleted with a record, or lose it', () => {
    const domain = [
      { name: 'refinement.deleted', refinement_id: 'r' },
      { name: 'spec.parent_deleted', spec_id: 's' },
      { name: 'sprint.deleted', sprint_id: 'p', spec_id: 'x' },
      { name: 'card.spec_deleted', card_id: 'c' },
    ]
    expect(short(entry('ideation', 'ideation_deleted', { domain }))).toEqual([
      'refinement:r refinement.deleted normal',
      'spec:s spec.parent_deleted normal',
      'sprint:p sprint.deleted normal',
      'card:c card.spec_deleted normal',
      'ideation:x ideation.deleted normal',
    ])
  })

  test('nothing for writes on anything else', () => {
    expect(short(entry('board', 'board_updated'))).toEqual([])
    expect(short(entry('guideline', 'guideline_created'))).toEqual([])
  })
})

describe('bugs that read what changed elsewhere are queued too', () => {
  test.each(['technical_requirements', 'business_rules', 'test_scenarios'])('after %s of their spec', field =>
    expect(dependentsOf(updated('spec', field))).toEqual([{ bugsOf: 'spec', id: 'x', event: 'spec.updated' }]),
  )

  test('after a link of a card that they refer to', () => {
    expect(
      dependentsOf(entry('spec', 'spec_task_linked', { domain: [{ name: 'spec.task_linked', card_id: 'c' }] })),
    ).toEqual([{ bugsOf: 'card', id: 'c', event: 'spec.task_linked' }])
    expect(dependentsOf(updated('spec', 'title'))).toEqual([])
  })
})
