import { type OperationName, operationByName, registry } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checksIfMatch,
  differingFields,
  etagOf,
  fieldsToChange,
  ownFieldsOf,
  representationOf,
  sameOwn,
} from './etag.ts'

const named = (name: OperationName) => operationByName.get(name)!
const getCard = named('get_card')
const tag = (body: object, of = getCard) => etagOf(of, body, JSON.stringify(body))

describe('own fields (board 6)', () => {
  test('of a card are what update_card changes, without its inline knowledge', () => {
    const own = ownFieldsOf(getCard)
    expect(own).toEqual(expect.arrayContaining(['title', 'status', 'labels', 'position', 'linked_test_task_ids']))
    for (const name of [
      'knowledge_bases',
      'comments',
      'qa_items',
      'validations',
      'claim',
      'updated_at',
      'dependencies',
    ])
      expect(own).not.toContain(name)
  })

  test('of a board are name, description, key and settings', () => {
    expect([...ownFieldsOf(named('get_board'))].sort()).toEqual(['description', 'key', 'name', 'settings'])
  })

  test('of a record without an update operation are all fields', () => {
    expect(ownFieldsOf(named('get_spec_knowledge'))).toContain('content')
  })

  test.each(registry.filter(checksIfMatch).map(operation => [operation.name, operation] as const))(
    '%s has some',
    (_, of) => {
      expect(ownFieldsOf(representationOf(of)!).length).toBeGreaterThan(0)
    },
  )
})

const value = fc.oneof(fc.constant(null), fc.string(), fc.string({ minLength: 501, maxLength: 600 }), fc.jsonValue())
const card = fc.record(Object.fromEntries(ownFieldsOf(getCard).map(name => [name, value])))

test('a tag is two hexadecimal parts', () => {
  fc.assert(fc.property(card, body => /^"[0-9a-f]+-[0-9a-f]+"$/.test(tag(body))))
})

test('the first part is that of the own fields, the second that of all', () => {
  fc.assert(
    fc.property(card, fc.string(), (body, text) => {
      const before = tag(body)
      const after = tag({ ...body, comments: [text] })
      expect([sameOwn(before, after), before === after]).toStrictEqual([true, false])
    }),
  )
})

test('two tags tell which own fields differ', () => {
  const record = { title: 'a', description: 'b'.repeat(600), labels: ['c'], position: 1, due_date: null }
  fc.assert(
    fc.property(fc.subarray(Object.keys(record)), changed => {
      const other = { ...record, ...Object.fromEntries(changed.map(name => [name, 'other'])) }
      const differing = differingFields(getCard, tag(record), tag(other))
      expect([...differing!].sort()).toEqual([...changed].sort())
      expect(sameOwn(tag(record), tag(other))).toBe(changed.length === 0)
    }),
  )
})

test('of a tag that is none of the record, nothing tells which fields differ', () => {
  expect(differingFields(getCard, '"stale"', tag({}))).toBeUndefined()
  expect(sameOwn('"stale"', tag({}))).toBe(false)
})

test.each<[OperationName, object, readonly string[]]>([
  ['update_card', { title: 'a', labels: ['b'], unknown: 1 }, ['title', 'labels']],
  ['update_card', { add_labels: ['a'], remove_labels: ['b'] }, ['labels']],
  ['move_card', { target_status: 'started', position: 1, conclusion: 'c' }, ['status', 'position']],
  ['move_spec', { status: 'review' }, ['status']],
  ['evaluate_ideation', { complexity: 'small' }, ['complexity']],
  ['create_card', { description: 'of the card, not of the board' }, []],
  ['create_refinement', { title: 'of the refinement' }, []],
])('%s of %j would change %j', (name, body, fields) => {
  expect(fieldsToChange(named(name), body).toSorted()).toEqual(fields.toSorted())
})

test('an operation without a body changes no field', () => {
  expect(fieldsToChange(named('delete_card'), undefined)).toEqual([])
})
