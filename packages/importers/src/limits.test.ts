import { operationByName } from '@specboard/contract'
import { expect, test } from 'vitest'
import { partsOf, start, storable } from './limits.ts'
import { bareFile, folder, importedFieldsOf, ofType, readingOf, recordOf, told } from './reading.testing.ts'

const body = operationByName.get('create_card')!.body!

/** A task of Task Master, whose file sets no lines; another member of the file may be long too. */
const issue = (fields: object) => bareFile(JSON.stringify({ tasks: [{ id: 1, title: 'A', ...fields }] }))

test.each<[string, Record<string, unknown>, string]>([
  ['title', { title: 'x'.repeat(501) }, 'title'],
  ['description', { description: 'x'.repeat(200_001) }, 'description'],
  ['details', { details: 'x'.repeat(200_001) }, 'details'],
  ['assignee_id', { assignee: 'x'.repeat(256) }, 'assignee_id'],
  ['labels, too many', { labels: Array.from({ length: 60 }, (_, at) => `label ${at}`) }, 'labels'],
  ['labels, too long', { labels: ['x'.repeat(101)] }, 'labels'],
])('of a card: %s is cut to what create_card takes, and the rest is kept', (_, fields, field) => {
  const reading = readingOf(issue(fields))
  const { spec_id: _spec, ...card } = recordOf('card', 'master:1', reading)
  const sent = { title: card.title, [field]: card[field as keyof typeof card] }
  expect(body.safeParse(sent)).toMatchObject({ success: true })
  const longer = typeof sent[field] === 'string' ? `${sent[field]}x` : [...(sent[field] as string[]), 'x'.repeat(101)]
  expect(body.safeParse({ ...sent, [field]: longer })).toMatchObject({ success: false })
  expect(told('changed', reading)).toHaveLength(1)
  const [written] = Object.values(fields)
  const last = typeof written === 'string' ? written : (written as string[]).at(-1)!
  expect(importedFieldsOf('master:1', reading)).toContain(last)
})

test('a comment that is too long is cut, its whole text is kept on the card', () => {
  const text = `${'x'.repeat(100_000)} the end`
  const head = '---\nid: task-1\ntitle: A\n---\n## Comments\n'
  const lines = text.replaceAll('xxxxxxxxxx', 'xxxxxxxxx\n')
  const reading = readingOf(folder({ 'tasks/1.md': `${head}\n${lines}` }))
  expect(ofType('comment', reading)[0]!.content).toBe(lines.slice(0, 100_000))
  expect(importedFieldsOf('task-1', reading)).toContain(lines)
})

test('knowledge that is too long is divided', () => {
  const reading = readingOf(issue({ huge: 'x'.repeat(1_500_000) }))
  const parts = ofType('knowledge', reading)
  expect(parts.map(({ id, title }) => [id, title])).toEqual([
    ['master:1#imported-fields', 'Imported fields'],
    ['master:1#imported-fields~2', 'Imported fields (2)'],
  ])
  expect(parts.map(({ content }) => content).join('')).toBe(`**huge**: ${'x'.repeat(1_500_000)}`)
})

test('a record without a title is told of', () => {
  const reading = readingOf(issue({ title: ' ' }))
  expect(recordOf('card', 'master:1', reading).title).toBe('Untitled')
  expect(told('changed', reading)).toEqual([':1 master:1 It has no title.'])
})

test('texts that the service cannot store are mended', () => {
  const reading = readingOf(issue({ description: 'a\0b\uD800c' }))
  expect(recordOf('card', 'master:1', reading).description).toBe('ab\uFFFDc')
  expect(told('changed', reading)).toHaveLength(1)
})

test('no pair of surrogates is torn apart', () => {
  expect(start('a😀b', 2)).toBe('a')
  expect(partsOf('a😀b', 2)).toEqual(['a', '😀', 'b'])
})

test('a value with nothing to mend is itself', () => {
  const value = { a: ['b', { c: 1, d: null }] }
  expect(storable(value)).toBe(value)
  expect(storable({ ...value, e: 'x\0' })).toEqual({ ...value, e: 'x' })
})
