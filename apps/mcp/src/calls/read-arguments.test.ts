import { operationByName, registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { planOf } from '../tools/arguments.ts'
import { readArguments } from './read-arguments.ts'

const read = (name: string, args: Record<string, unknown>) => {
  const found = readArguments(operationByName.get(name)!, args)
  if (!found.ok) throw new Error(JSON.stringify(found.items))
  return found
}

const faults = (name: string, args: Record<string, unknown>) => {
  const found = readArguments(operationByName.get(name)!, args)
  return found.ok ? [] : found.items
}

describe('places', () => {
  test('each argument goes to its place in the operation', () => {
    const { input } = read('update_ideation', { ideation_id: 'i', title: 'T' })
    expect(input).toMatchObject({ params: { ideation_id: 'i' }, body: { title: 'T' } })
  })

  test('one argument feeds both places of a name', () => {
    const { input } = read('create_refinement', { ideation_id: 'i', title: 'T' })
    expect(input).toMatchObject({ params: { ideation_id: 'i' }, body: { ideation_id: 'i' } })
  })

  test('an alias of a field is accepted', () => {
    expect(read('move_ideation', { ideation_id: 'i', target_status: 'review' }).input.body).toEqual({
      status: 'review',
    })
  })

  test('undeclared keys go into a body that accepts them', () => {
    const { input, warnings } = read('submit_sprint_evaluation', {
      sprint_id: 's',
      overall_score: 90,
      recommendation: 'approve',
      mood: 'good',
    })
    expect(input.body).toMatchObject({ mood: 'good' })
    expect(warnings).toEqual([])
  })

  test('a Cypher query and its params go into the body', () => {
    const { input } = read('query_kg_cypher', { board_id: 'b', cypher: 'MATCH (n) RETURN n', params: { a: 1 } })
    expect(input).toMatchObject({ query: {}, body: { cypher: 'MATCH (n) RETURN n', params: { a: 1 } } })
  })
})

describe('tolerance', () => {
  test.each([
    ['an array as JSON text', { labels: '["a","b"]' }, { labels: ['a', 'b'] }],
    ['an object as JSON text', { scope_assessment: '{"domains":2}' }, { scope_assessment: { domains: 2 } }],
    ['blanks around texts stay', { title: ' T ' }, { title: ' T ' }],
    ['blanks around ids are trimmed', { assignee_id: ' agent ' }, { assignee_id: 'agent' }],
  ])('%s', (_, args, body) => {
    expect(read('update_ideation', { ideation_id: ' i ', ...args }).input).toMatchObject({
      params: { ideation_id: 'i' },
      body,
    })
  })

  test.each([
    ['a single value for an array', { labels: 'a' }, { labels: ['a'] }],
    ['text that only looks like a list', { labels: 'a, b' }, { labels: ['a, b'] }],
  ])('where something is created or added: %s', (_, args, body) => {
    expect(read('create_ideation', { board_id: 'b', title: 'T', ...args }).input.body).toMatchObject(body)
    expect(read('assign_sprint_tasks', { sprint_id: 's', card_ids: 'c' }).input.body).toEqual({ card_ids: ['c'] })
  })

  test.each([
    ['an object for an array of objects', 'test_scenarios', { id: 't', title: 'T' }, { id: 't', title: 'T' }],
    ['an object as JSON text', 'test_scenarios', '{"id":"t","title":"T"}', { id: 't', title: 'T' }],
    ['an object where texts are taken too', 'technical_requirements', { id: 't', text: 'T' }, { id: 't', text: 'T' }],
    ['a text where objects are taken too', 'technical_requirements', 'T', 'T'],
  ])('a single item becomes a list where something is created or added: %s', (_, name, sent, item) => {
    const created = read('create_spec', { board_id: 'b', title: 'S', [name]: sent })
    expect(created.input.body).toMatchObject({ [name]: [item] })
    const added = read('put_spec_items', { spec_id: 's', [name]: sent })
    expect(added.input.body).toMatchObject({ [name]: [item] })
  })

  test('a single value that a list cannot hold stays a mistake', () => {
    expect(faults('create_spec', { board_id: 'b', title: 'S', test_scenarios: 'T' })).toContainEqual(
      expect.objectContaining({ loc: ['test_scenarios'], type: 'list_type' }),
    )
    expect(faults('create_spec', { board_id: 'b', title: 'S', labels: { a: 1 } })).toContainEqual(
      expect.objectContaining({ loc: ['labels'], type: 'list_type' }),
    )
  })

  test.each(registry.filter(({ method }) => method === 'PATCH' || method === 'PUT'))(
    '$name takes no single value for a list: it would replace the list that is there',
    operation => {
      const lists = [...planOf(operation).arguments.values()].filter(({ kind }) => kind === 'array')
      for (const { name } of lists)
        expect(faults(operation.name, { [name]: 'one' })).toContainEqual(
          expect.objectContaining({ loc: [name], type: 'list_type' }),
        )
    },
  )

  test('numbers and booleans as text', () => {
    const { input } = read('list_ideations', { board_id: 'b', limit: '12', include_archived: 'true' })
    expect(input.query).toMatchObject({ limit: 12, include_archived: true })
  })

  test.each(['yes', 'on', '1'])('"%s" is not a boolean', text => {
    expect(faults('list_ideations', { board_id: 'b', include_archived: text })).toMatchObject([
      { loc: ['include_archived'] },
    ])
  })

  test('fields as an array of paths', () => {
    expect(read('get_ideation', { ideation_id: 'i', fields: ['id', 'title'] }).options.fields).toBe('id,title')
  })
})

describe('null', () => {
  test('counts as absent for an optional argument', () => {
    expect(read('update_ideation', { ideation_id: 'i', description: null, labels: null }).input.body).toEqual({
      lists: 'merge',
    })
    expect(read('list_ideations', { board_id: 'b', status: null, limit: null }).input.query).toMatchObject({
      limit: 50,
    })
  })

  test('counts as missing for a required argument', () => {
    expect(faults('get_ideation', { ideation_id: null })).toMatchObject([{ loc: ['ideation_id'], type: 'missing' }])
  })
})

describe('clear', () => {
  test('empties nullable fields', () => {
    expect(read('update_ideation', { ideation_id: 'i', clear: ['assignee_id', 'labels'] }).input.body).toEqual({
      assignee_id: null,
      labels: null,
      lists: 'merge',
    })
  })

  test('refuses a name that is also set or cannot be cleared', () => {
    expect(faults('update_ideation', { ideation_id: 'i', description: 'x', clear: ['description', 'status'] })).toEqual(
      [
        { loc: ['clear', 0], msg: expect.stringContaining('set and cleared'), type: 'value_error' },
        { loc: ['clear', 1], msg: expect.any(String), type: 'enum', expected: expect.arrayContaining(['assignee_id']) },
      ],
    )
  })
})

describe('faults', () => {
  test('name the argument once, with the values of its enum', () => {
    expect(faults('move_ideation', { status: 'nope' })).toEqual([
      { loc: ['ideation_id'], msg: 'Field required', type: 'missing' },
      {
        loc: ['status'],
        msg: expect.any(String),
        type: 'enum',
        input: 'nope',
        expected: expect.arrayContaining(['draft']),
      },
    ])
  })

  test('a name in two places is one fault', () => {
    expect(faults('create_refinement', { title: 'T' }).map(item => item.loc)).toEqual([['ideation_id']])
  })

  test('a NUL character in a text is refused', () => {
    expect(faults('update_ideation', { ideation_id: 'i', title: 'a\0' })).toMatchObject([
      { loc: ['title'], type: 'value_error' },
    ])
  })

  test.each([JSON.parse('{"__proto__":1}'), '{"__proto__":1}'])(
    'a __proto__ key is refused in %j',
    scope_assessment => {
      expect(faults('update_ideation', { ideation_id: 'i', scope_assessment })).toMatchObject([
        { loc: ['scope_assessment', '__proto__'], type: 'value_error' },
      ])
    },
  )
})

test('an unknown argument is ignored, with a warning that names the nearest one', () => {
  expect(read('create_board', { name: 'B', description: '', desc: 'x', zzz: 1 }).warnings).toEqual([
    "unknown argument 'desc' ignored; did you mean 'description'?",
    "unknown argument 'zzz' ignored",
  ])
})

test('lists have pages of 50 by default', () => {
  expect(read('list_ideations', { board_id: 'b' }).input.query).toMatchObject({ limit: 50 })
  expect(faults('list_ideations', { board_id: 'b', limit: 201 })).toMatchObject([
    { loc: ['limit'], type: 'less_than_equal' },
  ])
})
