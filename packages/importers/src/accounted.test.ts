/** Every unit of a source is created, skipped with a reason, or reported as not read (imports 1). */
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry, SourceContent } from './neutral.ts'
import { folder, ofType, readingOf } from './reading.testing.ts'

/** Records that represent a unit of the source, including those that were skipped or not read. */
function accounted(reading: SourceContent): number {
  const records = (['spec', 'card', 'knowledge'] as const)
    .flatMap(type => ofType(type, reading))
    .filter(({ id }) => !id.startsWith('spec:') && !id.includes('#'))
  const omissions = reading.problems.filter(
    ({ severity, kind }) => severity === 'not_read' || (severity === 'skipped' && kind !== 'dependency'),
  )
  return records.length + omissions.length
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
      const naive = text.split('\n').filter(row => row.trim() !== '').length
      expect(accounted(readingOf({ filename: null, entries: [{ name: null, text }] }))).toBe(naive)
    }),
  )
})

/** Values of types that a field does not expect, each with a word that must not vanish. */
const oddValues: readonly unknown[] = [{ deep: 'KEEPSAKE' }, ['KEEPSAKE'], [{ deep: 'KEEPSAKE' }]]

const issueFields = ['description', 'status', 'priority', 'issue_type', 'assignee', 'created_at', 'closed_at', 'due_at']
const issueParts = ['labels', 'dependencies', 'comments', 'parent', 'ephemeral', 'pinned', 'is_template', 'own']

test.each([...issueFields, ...issueParts])('of beads: %s of another type', name => {
  for (const value of oddValues) {
    const text = json({ id: 'bd-1', title: 'A', status: 'open', issue_type: 'task', [name]: value })
    const reading = readingOf({ filename: null, entries: [{ name: null, text }] }, {}, 'beads')
    expect(json(reading)).toContain('KEEPSAKE')
  }
})

test.each(['type', 'issue_id', 'created_at', 'metadata', 'own'])('of a link of beads: %s of another type', name => {
  for (const value of oddValues) {
    const link = { issue_id: 'bd-1', depends_on_id: 'bd-2', type: 'blocks', [name]: value }
    const lines = [
      { id: 'bd-1', title: 'A', status: 'open', dependencies: [link] },
      { id: 'bd-2', title: 'B' },
    ]
    const text = lines.map(json).join('\n')
    expect(json(readingOf({ filename: null, entries: [{ name: null, text }] }, {}, 'beads'))).toContain('KEEPSAKE')
  }
})

const taskFields = [
  'title',
  'description',
  'details',
  'status',
  'priority',
  'dependencies',
  'subtasks',
  'labels',
  'own',
]

test.each(taskFields)('of Task Master: %s of another type', name => {
  for (const value of oddValues)
    for (const tasks of [[{ id: 1, title: 'A', [name]: value }], [{ id: 2, subtasks: [{ id: 1, [name]: value }] }]]) {
      const text = json({ tasks: [{ id: 9, title: 'First' }, ...tasks] })
      const reading = readingOf({ filename: null, entries: [{ name: 'tasks/tasks.json', text }] })
      expect(json(reading)).toContain('KEEPSAKE')
    }
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

/** The lines of a text outside of code fences. */
function outsideFences(text: string): string[] {
  let isFenced = false
  return text.split('\n').filter(line => {
    const isFence = line.startsWith('```')
    if (isFence) isFenced = !isFenced
    return !isFence && !isFenced
  })
}

const linesLike = (texts: readonly string[], pattern: RegExp): number =>
  texts.flatMap(outsideFences).filter(line => pattern.test(line)).length

test('of OpenSpec: every file, requirement, scenario and box', () => {
  const name = fc.constantFrom('Gate', 'Key: of brass', 'Bell, [loud]', '**Lock**')
  const bodyLine = fc.constantFrom(
    '',
    'The gate SHALL open.',
    '- **WHEN** it rains',
    '```',
    '## Notes',
    '# Title',
    '| a | b |',
  )
  const scenario = fc
    .tuple(name, fc.array(bodyLine, { maxLength: 2 }))
    .map(([heading, more]) => [`#### Scenario: ${heading}`, ...more])
  const requirement = fc
    .tuple(name, fc.array(scenario, { maxLength: 2 }))
    .map(([heading, scenarios]) => [`### Requirement: ${heading}`, 'It SHALL hold.', ...scenarios.flat()])
  const closed = (lines: readonly string[]) =>
    [...lines, ...(lines.filter(line => line === '```').length % 2 === 1 ? ['```'] : [])].join('\n')
  const capability = fc
    .array(requirement, { maxLength: 4 })
    .map(all => closed(['# Spec', '## Requirements', ...all.flat()]))
  const operation = fc.constantFrom('ADDED', 'MODIFIED', 'REMOVED')
  const delta = fc
    .array(fc.tuple(operation, fc.array(requirement, { maxLength: 2 })), { maxLength: 3 })
    .map(parts => closed(parts.flatMap(([word, all]) => [`## ${word} Requirements`, ...all.flat()])))
  const box = fc.constantFrom(
    '- [ ] 1.1 Buy',
    '- [x] 1.2 Cut: it',
    '* [ ] Hang',
    '- [ ]',
    '  - [X] 2.1 Below',
    'Text',
    '## 1. Lock',
  )
  const tasks = fc.array(box, { maxLength: 6 }).map(lines => lines.join('\n'))
  const odd = fc.constantFrom('', 'Text', '# Heading', null)
  const change = fc.record(
    {
      'proposal.md': odd,
      'tasks.md': tasks,
      'design.md': odd,
      'specs/gate/spec.md': delta,
      'specs/a/b/spec.md': delta,
      'odd.txt': odd,
    },
    { requiredKeys: [] },
  )
  const project = fc.record({
    specs: fc.array(capability, { maxLength: 3 }),
    changes: fc.array(fc.tuple(fc.constantFrom('', 'archive/2026-01-02-', 'proposed/'), change), { maxLength: 3 }),
    others: fc.record({ 'project.md': odd, 'AGENTS.md': odd, 'specs/odd.md': odd }, { requiredKeys: [] }),
  })
  fc.assert(
    fc.property(project, ({ specs, changes, others }) => {
      const files: Record<string, string | null> = {
        'specs/first/spec.md': '# First\n\n### Requirement: One\nIt SHALL be.',
        ...others,
        ...Object.fromEntries(specs.map((text, at) => [`specs/at-${at}/spec.md`, text])),
        ...Object.fromEntries(
          changes.flatMap(([place, texts], at) =>
            Object.entries(texts).map(([path, text]) => [`changes/${place}at-${at}/${path}`, text]),
          ),
        ),
      }
      const named = Object.entries(files).map(([path, text]) => [`openspec/${path}`, text] as const)
      const reading = readingOf(folder(Object.fromEntries(named)))
      const specTexts = named.flatMap(([path, text]) => (path.endsWith('/spec.md') && text !== null ? [text] : []))
      const taskTexts = named.flatMap(([path, text]) => (path.endsWith('/tasks.md') && text !== null ? [text] : []))
      const importedSpecs = ofType('spec', reading)
      const boxes = reading.problems.filter(
        ({ severity, line, entry }) => severity === 'not_read' && line !== null && entry?.endsWith('/tasks.md'),
      )
      const strays = reading.problems.filter(({ reason }) => reason.startsWith('A scenario outside a requirement'))
      expect({
        requirements: importedSpecs.flatMap(spec => spec.functional_requirements).length,
        scenarios: importedSpecs.flatMap(spec => spec.test_scenarios).length + strays.length,
        boxes: ofType('card', reading).length + boxes.length,
      }).toEqual({
        requirements: linesLike(specTexts, /^### Requirement: /),
        scenarios: linesLike(specTexts, /^#### Scenario: /),
        boxes: linesLike(taskTexts, /^ *[-*] \[.\]/),
      })
      // Its spec files and the tasks of a change are merged into its spec and cards.
      const isMerged = (path: string, text: string | null) =>
        /changes\/.*(?:spec|tasks)\.md$/.test(path) && text !== null && text.trim() !== ''
      const alone = named.flatMap(([path, text]) => (isMerged(path, text) ? [] : [path]))
      expect(placesOf(reading)).toEqual(expect.arrayContaining(alone))
    }),
  )
})

/** The files of records and problems. */
const placesOf = ({ records, problems }: SourceContent): string[] =>
  [...new Set([...records.map(({ place }) => place.entry), ...problems.map(({ entry }) => entry)])]
    .filter(name => name !== null)
    .toSorted()

test('of vibe-kanban: every row', () => {
  const key = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { freq: 4 })
  const text = fc.option(fc.constantFrom('Paint', 'Dry: it', ''), { freq: 4 })
  const rows = (...rest: fc.Arbitrary<string | null>[]) =>
    fc.uniqueArray(fc.tuple(key, ...rest), { maxLength: 4, selector: ([id]) => id ?? {} })
  const database = fc.record({
    projects: rows(text),
    tasks: rows(key, text, fc.constantFrom('todo', 'done', 'odd')),
    task_attempts: rows(key, text),
    execution_processes: rows(key, text),
    executor_sessions: rows(key, text),
    merges: rows(key, text),
    task_templates: rows(key, text),
  })
  const columns = {
    projects: 'id, name',
    tasks: 'id, project_id, title, status',
    task_attempts: 'id, task_id, branch',
    execution_processes: 'id, task_attempt_id, run_reason',
    executor_sessions: 'id, task_attempt_id, summary',
    merges: 'id, task_attempt_id, merge_commit',
    task_templates: 'id, project_id, content',
  } as const
  fc.assert(
    fc.property(database, tables => {
      const db = new Database(':memory:')
      for (const [table, names] of Object.entries(columns)) {
        db.exec(`create table ${table} (${names})`)
        const insert = db.prepare(`insert into ${table} values (${names.replaceAll(/\w+/g, '?')})`)
        for (const row of tables[table as keyof typeof columns]) insert.run(...row)
      }
      const bytes = db.serialize()
      db.close()
      const reading = readingOf({ filename: 'db.sqlite', entries: [{ name: null, text: null, bytes }] })
      const omissions = reading.problems.filter(({ severity }) => severity === 'skipped' || severity === 'not_read')
      const countOmitted = (...words: readonly string[]) =>
        omissions.filter(({ kind, reason }) => words.some(word => reason === `The ${word} has no id.` || kind === word))
          .length
      const lost = omissions.map(({ reason }) => Number(/^\w+ \((\d+) rows\)/.exec(reason)?.[1] ?? 0))
      const attempts = new Set<string | null>(tables.task_attempts.map(([id]) => id))
      const parts = [...tables.execution_processes, ...tables.executor_sessions, ...tables.merges]
      expect({
        projects:
          ofType('spec', reading).filter(({ id }) => id.startsWith('project:')).length + countOmitted('project'),
        tasks: ofType('card', reading).length + countOmitted('task'),
        attempts: ofType('comment', reading).length + countOmitted('attempt', 'comment'),
        templates:
          ofType('knowledge', reading).filter(({ id }) => !id.includes('#')).length +
          countOmitted('text for prompts', 'knowledge'),
        lost: lost.reduce((sum, count) => sum + count, 0),
      }).toEqual({
        projects: tables.projects.length,
        tasks: tables.tasks.length,
        attempts: tables.task_attempts.length,
        templates: tables.task_templates.length,
        lost: parts.filter(([, attempt]) => !attempts.has(attempt ?? null) || attempt === null).length,
      })
    }),
  )
})
