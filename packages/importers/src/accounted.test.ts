/** Every unit of a source is created, skipped with a reason, or told as not read (imports 1). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry, Reading } from './neutral.ts'
import { ofType, readingOf } from './reading.testing.ts'

/** Records that stand for a unit of the source, with those that were skipped or not read. */
function accounted(reading: Reading): number {
  const made = (['spec', 'card', 'knowledge'] as const)
    .flatMap(type => ofType(type, reading))
    .filter(({ id }) => !id.startsWith('spec:') && !id.includes('#'))
  const left = reading.problems.filter(
    ({ severity, kind }) => severity === 'not_read' || (severity === 'skipped' && kind !== 'dependency'),
  )
  return made.length + left.length
}

const json = (value: unknown): string => JSON.stringify(value)

const number = fc.nat({ max: 30 })

const title = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' })

test('of beads: every line that is not blank', () => {
  const issue = fc.record({ id: number.map(n => `bd-${n}`), title, status: fc.constantFrom('open', 'closed', 'odd') })
  const line = fc.oneof(
    { weight: 5, arbitrary: issue.map(json) },
    issue.map(one => json({ ...one, is_template: 1 })),
    issue.map(one => json({ ...one, status: 'tombstone' })),
    issue.map(one => json({ ...one, labels: null, dependencies: null })),
    number.map(n => json({ _type: 'memory', key: `key ${n}`, value: 'x' })),
    fc.constantFrom('', '   ', '{', 'null', '[]', '3', '{"id": 1}', '{"_type": "header"}', '{"_type": "odd"}'),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), lines => {
      const text = ['{"id": "first", "title": "First", "status": "open"}', ...lines].join('\n')
      const naive = text.split('\n').filter(written => written.trim() !== '').length
      expect(accounted(readingOf({ filename: null, entries: [{ name: null, text }] }))).toBe(naive)
    }),
  )
})

test('of Task Master: every element of a list of tasks', () => {
  const odd = fc.constantFrom<unknown>(null, 3, 'x', [], {}, { title: 'No id' })
  const leaf = fc.record({ id: fc.oneof(number, number.map(String)), title, status: fc.constantFrom('done', 'odd', 0) })
  const subtasks = fc.array(fc.oneof({ weight: 3, arbitrary: leaf }, odd), { maxLength: 3 })
  const task = fc.record({ id: number, title, subtasks }, { requiredKeys: ['id', 'title'] })
  const tasks = fc.array(fc.oneof({ weight: 3, arbitrary: task }, odd), { maxLength: 8 })
  const countOf = (list: readonly unknown[]): number =>
    list.reduce<number>((sum, one) => {
      const below = typeof one === 'object' && one !== null && 'subtasks' in one ? one.subtasks : []
      return sum + 1 + (Array.isArray(below) ? countOf(below) : 0)
    }, 0)
  fc.assert(
    fc.property(tasks, tasks, (master, other) => {
      const first = { id: 99, title: 'First' }
      const text = json({ master: { tasks: [first, ...master] }, other: { tasks: other } })
      const reading = readingOf({ filename: null, entries: [{ name: 'tasks/tasks.json', text }] })
      expect(accounted(reading)).toBe(2 + countOf([first, ...master]) + countOf(other))
    }),
  )
})

test('of Backlog.md: every file', () => {
  const task = (id: number, head = ''): string => `---\nid: task-${id}\ntitle: Task ${id}\n${head}---\nText\n`
  const content = fc.oneof(
    { weight: 4, arbitrary: number.map(id => task(id)) },
    number.map(id => task(id, 'status: Odd: odd\n')),
    number.map(id => task(id, 'status: *alias\n')),
    fc.constantFrom('', '# No head', '---\nid: 1', '---\ntitle: No id\n---\n', null),
  )
  const folder = fc.constantFrom('tasks', 'completed', 'archive/tasks', 'drafts', 'odd', '.')
  const file = fc.tuple(folder, fc.constantFrom('md', 'txt'), content)
  fc.assert(
    fc.property(fc.array(file, { maxLength: 10 }), files => {
      const entries: Entry[] = [
        { name: 'backlog/tasks/first.md', text: task(99) },
        ...files.map(([place, ending, text], at) => ({ name: `backlog/${place}/task-${at}.${ending}`, text })),
      ]
      expect(accounted(readingOf({ filename: null, entries }))).toBe(entries.length)
    }),
  )
})
