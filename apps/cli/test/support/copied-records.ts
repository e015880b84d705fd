import { expect } from 'vitest'
import { linesOf, zipEntries } from './zip-entries.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
type Line = any

/**
 * The records of an archive, keyed by what stays the same in every copy; the ids in them are replaced by these keys.
 */
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
  'removed_item_numbers',
  'updated_at',
  'moved_at',
  'moved_by',
  'changed_since_validated',
])

/** Kinds whose records an archive can change after they came. */
const changing = new Set(
  'guideline ideation refinement spec sprint card question knowledge comment architecture saved_search template repository'.split(
    ' ',
  ),
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

/** The columns that distinguish records of a kind that were created at the same time. */
const telling: Readonly<Record<string, readonly string[]>> = {
  saved_search: ['name'],
  history: ['created_at', 'entity_type', 'action', 'version'],
  graph_action: ['created_at', 'action', 'node_type'],
}

/** What a record is called in every copy: it was made once. */
const keyOf = (line: Line) => [line.type, ...(telling[line.type] ?? ['created_at']).map(name => line[name])].join(' ')

/**
 * The records of an archive, except its board.
 * @param names what the ids of earlier archives of the board stand for: those of deleted records are still in use
 */
export async function archivedRecords(file: Blob, names: Map<string, string>): Promise<Archived> {
  const entries = await zipEntries(file)
  const lines = linesOf(entries.get('records.jsonl')).filter(({ type }) => type !== 'board')
  for (const line of lines) names.set(line.id, keyOf(line))
  for (const { id } of linesOf(entries.get('agents.jsonl'))) names.set(id, 'somebody')
  const renamed = JSON.stringify(lines).replaceAll(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    id => names.get(id) ?? 'gone',
  )
  const parsed = JSON.parse(renamed) as Line[]
  return new Map(parsed.map((line, at) => [keyOf(lines[at]), { ...line, file_id: lines[at].id }]))
}

/** Expects a new copy to have exactly the records of its source. */
export function expectMade(file: Archived, copy: Archived): void {
  const differing = [...file].flatMap(([key, line]) => {
    const actual = copy.get(key)
    return actual === undefined ? [`${key} is missing`] : differences(line, actual).map(text => `${key}: ${text}`)
  })
  expect(differing).toEqual([])
  expect([...copy.keys()].filter(key => !file.has(key))).toEqual([])
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
  const say = (key: string, message: string) => wrong.push(`${key}: ${message}`)
  // Masks the ids of records that are gone: a history keeps what it says about them as it was imported.
  const withoutGone = (line: Line): Line =>
    line.type !== 'history'
      ? line
      : JSON.parse(JSON.stringify(line), (_, value) => (last.has(value) && !file.has(value) ? 'gone' : value))
  for (const [key, line] of before) if (!after.has(key)) say(key, `${line.type} is gone`)
  for (const [key, line] of file) {
    const [was, is] = [before.get(key), after.get(key)]
    if (was === undefined) {
      if (last.has(key) && is !== undefined) say(key, 'was deleted and came again')
      else if (!last.has(key) && is === undefined && !isSkipped(report, line)) say(key, 'is new and did not come')
      else if (is !== undefined && !isTold(report, line))
        for (const text of differences(withoutGone(line), withoutGone(is))) say(key, text)
      continue
    }
    if (is === undefined) continue
    if (!changing.has(line.type)) for (const text of differences(was, is)) say(key, text)
    if (!changing.has(line.type)) continue
    const baseline = last.get(key)
    if (line.type === 'architecture') for (const text of designFaults({ line, of: baseline, was, is })) say(key, text)
    for (const name of Object.keys(line)) {
      if (passing.has(name) || designParts.includes(name)) continue
      const names = together[name] ?? [name]
      const same = (a: Line, b: Line) => names.every(field => text(a[field]) === text(b[field]))
      const isUntouched = names.every(field => exactText(was[field]) === exactText(baseline[field]))
      const isRefused = names.some(field => refused.has(`${line.file_id} ${field}`))
      // The rank of a global guideline is the board's own, and stays the same when the guideline is linked again
      // (exchange 1.3).
      const isOwnRank = name === 'priority' && was.scope === 'global' && isLinked(before, after, key)
      const stays = same(line, baseline) || !isUntouched || isRefused || isOwnRank
      const expected = heldTo(`${line.type} ${name}`, (stays ? was : line)[name], after.get(is.spec_id))
      if (text(expected) !== text(is[name]))
        say(
          key,
          `${name} is ${text(is[name])}, not ${text(expected)} (last ${text(baseline[name])}, here ${text(was[name])})`,
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

/** The fields that an import may not change, according to its report: the record and the field (walls 5). */
const refusedIn = ({ problems }: Line): ReadonlySet<string> =>
  new Set(
    problems.flatMap(({ id, reason }: Line) => {
      const field = /^Stays as it is here: (\w+) \(/.exec(reason)?.[1]
      return field === undefined ? [] : [`${id} ${field}`]
    }),
  )

/** Whether the report says that a record was imported differently from its file, such as without a parent. */
const isTold = ({ problems }: Line, { file_id }: Line): boolean => problems.some(({ id }: Line) => id === file_id)

const isSkipped = ({ skipped }: Line, { type }: Line): boolean => (skipped[type] ?? 0) > 0

/** A value as it is compared: links have their own comparison. */
const text = (value: unknown): string => textWithout(value, ['linked_task_ids', 'linked_criteria', ...ownMembers])

/** The same with links: one that changed in the copy is a change of it. */
const exactText = (value: unknown): string => textWithout(value, ownMembers)

/** Members that are the copy's own: where a payload is stored, and what follows from other changes. */
const ownMembers = ['adapter_payload_ref', 'stale']

const textWithout = (value: unknown, omitted: readonly string[]): string =>
  JSON.stringify(value ?? null, (name, inner) => (omitted.includes(name) ? null : inner))

/** The differences between a record and what it should be, if the record was just imported or no import changes it. */
function differences(expected: Line, is: Line): string[] {
  const own = new Set([...passing, ...designParts, 'sequence'])
  const differing = Object.keys(expected).filter(name => !own.has(name) && text(expected[name]) !== text(is[name]))
  const parts = is.type === 'architecture' ? partFaults(is, expected) : []
  return [...differing.map(name => `${name} is ${text(is[name])}, not ${text(expected[name])}`), ...parts]
}

/** The versions of a design by what they hold. */
const versionsOf = ({ versions }: Line): string[] => versions.map(({ id: _, ...version }: Line) => text(version))

/** What the diagrams of a design hold, by diagram. */
const heldBy = ({ diagrams, payloads }: Line): string =>
  text(
    diagrams.map(({ id, adapter_payload_ref }: Line) => [
      id,
      payloads.find((payload: Line) => payload.id === adapter_payload_ref)?.content,
    ]),
  )

/** How an imported design differs from that of its file in its versions and in what its diagrams hold. */
const partFaults = (is: Line, expected: Line): string[] => [
  ...(versionsOf(is).join() === versionsOf(expected).join() ? [] : [`versions are ${versionsOf(is)}`]),
  ...(heldBy(is) === heldBy(expected) ? [] : [`its diagrams hold ${heldBy(is)}`]),
  ...lostHashes(is),
]

/** Diagrams of any version of a design whose content is missing. */
function lostHashes({ diagrams, versions, former_payloads }: Line): string[] {
  const hashes = new Set([...diagrams, ...former_payloads].map(({ content_hash }: Line) => content_hash))
  const referenced = versions.flatMap(({ content }: Line) =>
    content.diagrams.map(({ content_hash }: Line) => content_hash),
  )
  return referenced
    .filter((hash: string | null) => hash !== null && !hashes.has(hash))
    .map((hash: string) => `${hash} is lost`)
}

interface Design {
  readonly line: Line
  readonly of: Line
  readonly was: Line
  readonly is: Line
}

/**
 * What is wrong with the parts of a design that a later import may have changed: the design takes the versions of the
 * file if nothing but imports has changed it, otherwise it gets a new version of its own; its diagrams must hold the
 * content that they name.
 */
function designFaults({ line, of, was, is }: Design): string[] {
  const isChanged = Object.keys(was).some(
    name => !passing.has(name) && !designParts.includes(name) && text(was[name]) !== text(is[name]),
  )
  const isAsImported = was.version === of.version && versionsOf(was).join() === versionsOf(of).join()
  const versions = versionsOf(was)
  const expected = !isChanged ? versions : isAsImported ? versionsOf(line) : undefined
  const newest = is.versions.at(-1)
  return [
    ...(expected !== undefined && versionsOf(is).join() !== expected.join() ? [`versions are ${versionsOf(is)}`] : []),
    ...(versions.every((version, at) => versionsOf(is)[at] === version) ? [] : ['a version of its own is gone']),
    ...(is.versions.length === versions.length + (isChanged && !isAsImported ? 1 : is.versions.length - versions.length)
      ? []
      : ['it became no version of its own']),
    ...(newest.version === is.version && text(newest.content.diagrams) === text(is.diagrams)
      ? []
      : ['its newest version is not what it is']),
    ...(text(is.diagrams) === text(line.diagrams) && heldBy(is) !== heldBy(line) ? [`it holds ${heldBy(is)}`] : []),
    ...lostHashes(is),
  ]
}

/** Removes a card's links to scenarios that its spec no longer has. */
const heldTo = (name: string, value: Line, spec: Line | undefined): Line =>
  name === 'card test_scenario_ids'
    ? value.filter((scenario: string) => spec?.test_scenarios?.some(({ id }: Line) => id === scenario))
    : value

/** Whether a guideline is one that a board has linked, not one of its own. */
const isLinked = (before: Archived, after: Archived, key: string): boolean =>
  before.get(key)?.file_id === after.get(key)?.file_id

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
