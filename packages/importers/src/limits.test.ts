import { atOnce, operationByName, parseInput } from '@specboard/contract'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { Collection } from './collected.ts'
import { partsOf, start, storable } from './limits.ts'
import { bareFile, folder, importedFieldsOf, ofType, problemsOf, readingOf, recordOf } from './reading.testing.ts'
import { comment, conclusion, guideline, ideation, spec, card as work } from './records.ts'

const body = operationByName.get('create_card')!.body!

/** A task of Task Master, in a file that is not divided into lines; another member of the file may be long too. */
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
  const input = { title: card.title, [field]: card[field as keyof typeof card] }
  expect(body.safeParse(input)).toMatchObject({ success: true })
  const longer =
    typeof input[field] === 'string' ? `${input[field]}x` : [...(input[field] as string[]), 'x'.repeat(101)]
  expect(body.safeParse({ ...input, [field]: longer })).toMatchObject({ success: false })
  expect(problemsOf('changed', reading)).toHaveLength(1)
  const [value] = Object.values(fields)
  const last = typeof value === 'string' ? value : (value as string[]).at(-1)!
  expect(importedFieldsOf('master:1', reading)).toContain(last)
})

const place = { entry: null, line: null }
const long = `${'x'.repeat(200_001)} the end`
const scenario = {
  ...{ id: 't1', title: 'A', given: long, when: long, then: long, notes: long, status: 'draft' as const },
  ...{ linked_criteria: null, linked_task_ids: null, evidence: null, latest_evidence: null, tests: [] },
  scenario_type: 'integration' as const,
}
const texts = { title: `A\r\nB ${'x'.repeat(600)}`, description: long, assignee_id: long }

test.each([
  ['create_guideline', guideline({ id: 'a', place, title: texts.title, content: long })],
  [
    'update_ideation',
    ideation({ id: 'a', place, status: 'draft', ...texts, problem_statement: long, proposed_approach: long }),
  ],
  [
    'update_spec',
    spec({
      ...{ id: 'a', place, status: 'draft', ...texts, context: long },
      ...{ functional_requirements: ['a', long], acceptance_criteria: [long], test_scenarios: [scenario] },
    }),
  ],
  ['update_card', work({ id: 'a', place, spec_id: 's', status: 'done', ...texts, details: long })],
  ['create_comment', comment({ id: 'a', place, card_id: 'c', content: long })],
])('of any record: %s takes what comes in', (name, record) => {
  const collected = new Collection()
  collected.add(record)
  const [read] = atOnce(collected.finish('A')).records.filter(({ id }) => id === 'a')
  const operation = operationByName.get(name)!
  const { shape } = operation.body as z.ZodObject
  const body = Object.fromEntries(Object.entries(read!).filter(([field]) => field in shape && field !== 'place'))
  const params = { spec_id: 'a', ideation_id: 'a', card_id: 'a' }
  const parsed = parseInput(operation, { params, query: {}, body })
  expect(parsed).toMatchObject({ ok: true })
  // The accepted values are unchanged: titles are already in one line.
  expect(body).not.toHaveProperty('title', expect.stringMatching(/[\r\n]/))
})

test('what is left out of the texts of a spec is kept', () => {
  const collected = new Collection()
  collected.add(spec({ id: 'a', place, title: 'A', status: 'draft', functional_requirements: ['short', long] }))
  const reading = atOnce(collected.finish('A'))
  expect(ofType('spec', reading)[0]!.functional_requirements.map(({ length }) => length)).toEqual([5, 200_000])
  expect(ofType('knowledge', reading)[0]!.content).toContain('the end')
  expect(reading.problems.filter(({ severity }) => severity === 'changed').map(({ reason }) => reason)).toEqual([
    'Texts of functional_requirements are cut to 200000 characters. "Imported fields" has what is left out.',
  ])
})

test('a title with line breaks comes in one line, which is told', () => {
  const reading = readingOf(bareFile('id,title\n1,"A\r\nB"\n'))
  expect(recordOf('card', '1', reading).title).toBe('A B')
  expect(problemsOf('changed', reading)).toEqual([':2 1 Its title is written in one line.'])
})

test('a conclusion that is too long is cut, and kept', () => {
  const conclusions = [conclusion({ text: long, author: null, created_at: null })]
  const collected = new Collection()
  collected.add(work({ id: 'a', place, spec_id: 's', title: 'A', status: 'done', conclusions }))
  const reading = atOnce(collected.finish('A'))
  expect(ofType('card', reading)[0]!.conclusions[0]!.text).toHaveLength(200_000)
  expect(importedFieldsOf('a', reading)).toContain('the end')
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
  expect(problemsOf('changed', reading)).toEqual([':1 master:1 It has no title.'])
})

test('texts that the service cannot store are mended', () => {
  const reading = readingOf(issue({ description: 'a\0b\uD800c' }))
  expect(recordOf('card', 'master:1', reading).description).toBe('ab\uFFFDc')
  expect(problemsOf('changed', reading)).toHaveLength(1)
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
