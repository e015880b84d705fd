import { expect, test } from 'vitest'
import { z } from 'zod'
import { Ids } from './ids.ts'

const spec = '00000000-0000-7000-8000-000000000001'
const card = '00000000-0000-7000-8000-000000000002'
const other = '00000000-0000-7000-8000-000000000003'

const ids = new Ids(3)
ids.set('spec', '001-photo', spec)
ids.set('card', '001-photo/T004', card)
ids.set('card', other, spec)

test.each([
  ['001-photo', spec],
  ['001-photo/T004', card],
  ['card:001-photo/T004 of 001-photo/T005', `card:${card} of ${spec}/T005`],
  [`(${other}, 001-photo)`, `(${spec}, ${spec})`],
  ['T004', 'T004'],
  ['', ''],
])('the ids in %j are replaced, longer ones before their parts', (text, replaced) => {
  expect(ids.inReference(text)).toBe(replaced)
  expect(new Ids(0, ids).inReference(text)).toBe(replaced)
})

test('a list of a part names records by their whole ids', () => {
  const column = { schema: z.unknown(), form: 'json', namesInside: true } as const
  expect(ids.within(column, [{ id: 'us1-1', linked_task_ids: ['001-photo/T004'] }])).toEqual([
    { id: 'us1-1', linked_task_ids: [card] },
  ])
})

test('what a change says about a part names its record, but an item of a spec keeps its id', () => {
  const column = { schema: z.unknown(), form: 'json', namesInside: true } as const
  const changeOf = (id: string) => [
    { field: 'knowledge_bases', old: [{ id, title: 'Notes' }], new: [{ id: '001-photo' }] },
  ]
  expect(ids.within(column, changeOf(other))).toEqual(changeOf(spec))
})
