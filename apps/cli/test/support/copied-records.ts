import { expect } from 'vitest'
import { linesOf, zipEntries } from './zip-entries.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
type Line = any

/** The records of an archive by what stays the same in every copy, with the ids in them replaced by that. */
export type Archived = ReadonlyMap<string, Line>

/** Columns that say when and in which order, or who: they are the copy's own. */
const passing = new Set([
  'id',
  'file_id',
  'created_at',
  'number',
  'position',
  'version',
  'rev',
  'updated_at',
  'moved_at',
  'moved_by',
  'changed_since_validated',
])

/** Kinds whose records an archive can change after they came. */
const changing = new Set(
  'guideline ideation refinement spec sprint card question knowledge comment architecture saved_search'.split(' '),
)

/** Columns that change together. */
const together: Readonly<Record<string, readonly string[]>> = {
  archived: ['archived', 'pre_archive_status'],
  pre_archive_status: ['archived', 'pre_archive_status'],
  spec_id: ['spec_id', 'sprint_id', 'test_scenario_ids'],
  sprint_id: ['spec_id', 'sprint_id', 'test_scenario_ids'],
  test_scenario_ids: ['spec_id', 'sprint_id', 'test_scenario_ids'],
  answer: ['answer', 'selected', 'answered_by', 'answered_at'],
  selected: ['answer', 'selected', 'answered_by', 'answered_at'],
  answered_by: ['answer', 'selected', 'answered_by', 'answered_at'],
  answered_at: ['answer', 'selected', 'answered_by', 'answered_at'],
}

const designParts = ['versions', 'payloads', 'former_payloads']

/** What a record is called in every copy: it was made once. */
const keyOf = ({ type, created_at, name }: Line) => `${type} ${type === 'saved_search' ? name : created_at}`

/** The records of an archive, without its history. */
export async function archivedRecords(file: Blob): Promise<Archived> {
  const entries = await zipEntries(file)
  const lines = linesOf(entries.get('records.jsonl')).filter(({ type }) => type !== 'history' && type !== 'board')
  const names = new Map<string, string>(lines.map(line => [line.id, keyOf(line)]))
  for (const { id } of linesOf(entries.get('agents.jsonl'))) names.set(id, 'somebody')
  const renamed = JSON.stringify(lines).replaceAll(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    id => names.get(id) ?? 'gone',
  )
  const parsed = JSON.parse(renamed) as Line[]
  return new Map(parsed.map((line, at) => [keyOf(lines[at]), { ...line, file_id: lines[at].id }]))
}

interface Copy {
  readonly last: Archived
  readonly file: Archived
  readonly before: Archived
  readonly after: Archived
  readonly report: Line
}

/** Compares a copy with what a later import of its source may have changed in it (exchange 1.3). */
export function expectCopied({ last, file, before, after, report }: Copy): void {
  const wrong: string[] = []
  const refused = refusedIn(report)
  const say = (key: string, what: string) => wrong.push(`${key}: ${what}`)
  for (const [key, line] of before) if (!after.has(key)) say(key, `${line.type} is gone`)
  for (const [key, line] of file) {
    const [was, is] = [before.get(key), after.get(key)]
    if (was === undefined) {
      if (last.has(key) && is !== undefined) say(key, 'was deleted in the copy and came again')
      if (!last.has(key) && is === undefined && !isSkipped(report, line)) say(key, 'is new and did not come')
      continue
    }
    if (is === undefined || !changing.has(line.type)) continue
    const of = last.get(key)
    for (const name of Object.keys(line)) {
      if (passing.has(name) || designParts.includes(name)) continue
      const names = together[name] ?? [name]
      const same = (a: Line, b: Line) => names.every(one => text(a[one]) === text(b[one]))
      const isRefused = names.some(one => refused.has(`${line.file_id} ${one}`))
      const wanted = same(line, of) || !same(was, of) || isRefused ? was : line
      if (text(wanted[name]) !== text(is[name]))
        say(
          key,
          `${name} is ${text(is[name])}, not ${text(wanted[name])} (last ${text(of[name])}, here ${text(was[name])})`,
        )
    }
  }
  expect(wrong).toEqual([])
  for (const kind of Object.keys(report.read)) {
    const counted = ['created', 'updated', 'unchanged', 'skipped'].map(name => report[name][kind] ?? 0)
    expect([kind, counted.reduce((sum, count) => sum + count, 0)]).toEqual([kind, report.read[kind]])
  }
  expectLinked(after)
}

/** The fields that an import may not change, as its report tells them: the record and the field (walls 5). */
const refusedIn = ({ problems }: Line): ReadonlySet<string> =>
  new Set(
    problems.flatMap(({ id, reason }: Line) => {
      const field = /^Stays as it is here: (\w+) \(/.exec(reason)?.[1]
      return field === undefined ? [] : [`${id} ${field}`]
    }),
  )

const isSkipped = ({ skipped }: Line, { type }: Line): boolean => (skipped[type] ?? 0) > 0

/** A value as it is compared: links have their own comparison, and where a payload is stored is the copy's own. */
const text = (value: unknown): string =>
  JSON.stringify(value ?? null, (name, inner) =>
    name === 'linked_task_ids' || name === 'linked_criteria' || name === 'adapter_payload_ref' ? null : inner,
  )

/** Every link has both ends. */
function expectLinked(records: Archived): void {
  const ends = (of: (line: Line) => string[]) => [...records.values()].flatMap(of).toSorted()
  const ofCards = ends(line =>
    line.type === 'card' ? line.test_scenario_ids.map((id: string) => `${line.spec_id} ${id} ${keyOf(line)}`) : [],
  )
  const ofSpecs = ends(line =>
    line.type === 'spec'
      ? (line.test_scenarios ?? []).flatMap(({ id, linked_task_ids }: Line) =>
          (linked_task_ids ?? []).map((card: string) => `${keyOf(line)} ${id} ${card}`),
        )
      : [],
  )
  expect(ofSpecs).toEqual(ofCards)
}
