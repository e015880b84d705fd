/** Inputs that imports failed on, from a folder that is not part of the project; skipped if it is absent. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from './support/world.ts'
import { zipOf } from './support/zip-entries.ts'

const root = new URL('../../../', import.meta.url).pathname
const cases = join(process.env.SPECBOARD_SHARED ?? join(root, '../shared'), 'data/import-cases')
const isThere = existsSync(cases)

if (!isThere) console.log(`Skipped: there is no ${cases} (or SPECBOARD_SHARED).`)

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

/** A case as the command line sends it: a folder as a zip. */
async function fileOf(name: string): Promise<File> {
  const path = join(cases, name)
  if (!statSync(path).isDirectory()) return new File([readFileSync(path)], basename(path))
  const entries = filesBelow(path).map(file => [relative(path, file).replaceAll(sep, '/'), readFileSync(file)] as const)
  return new File([await zipOf(entries)], `${basename(path)}.zip`)
}

interface Card {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly archived: boolean
  readonly moved_at: string
  readonly labels: readonly string[]
}

/** The cards of a case, each with the titles of those that it waits for. */
async function imported(name: string) {
  const report = await world.ok('import_board', { file: await fileOf(name) })
  const { board_id } = report
  const cards: Card[] = await world.ok('list_cards', { board_id, include_archived: true })
  const titles = new Map(cards.map(({ id, title }) => [id, title]))
  const waits = async ({ id }: Card): Promise<string[]> => {
    const found: { id: string }[] = await world.ok('list_card_dependencies', { card_id: id })
    return found.map(other => titles.get(other.id) ?? other.id)
  }
  const of = await Promise.all(cards.map(async card => [card.title, { ...card, waits: await waits(card) }] as const))
  return { report, cards: new Map(of) }
}

type Imported = Awaited<ReturnType<typeof imported>>

const statuses = ({ cards }: Imported): Record<string, string> =>
  Object.fromEntries([...cards].map(([title, { status }]) => [title, status]))

const waits = ({ cards }: Imported): Record<string, readonly string[]> =>
  Object.fromEntries([...cards].map(([title, card]) => [title, card.waits]))

const notRead = ({ report }: Imported): readonly string[] =>
  report.not_read.map(({ entry, line }: { entry: string; line: number }) => `${entry}:${line}`)

const right: Readonly<Record<string, (found: Imported) => void>> = {
  'beads-memory-line.jsonl': found => {
    expect(statuses(found)).toEqual({ 'Paint the fence': 'not_started' })
    expect(found.report.created).toMatchObject({ card: 1, knowledge: 1 })
  },
  'beads-history-copy/.beads': found =>
    expect(statuses(found)).toEqual({ 'Paint the fence': 'done', 'Oil the gate': 'not_started' }),
  'taskmaster-beside-editor': found => expect(statuses(found)).toEqual({ 'Paint the fence': 'not_started' }),
  'taskmaster-beside-markdown': found => {
    expect(found.report.format).toBe('task-master')
    expect(statuses(found)).toEqual({ 'Paint the fence': 'not_started' })
  },
  'backlog-id-used-again': found =>
    expect(waits(found)).toMatchObject({ 'Waits for the live one': ['Live prerequisite'], 'Live prerequisite': [] }),
  'backlog-other-prefix': found =>
    expect(waits(found)).toMatchObject({ 'Build the tool on the client': ['Build the client'] }),
  'backlog-status-words': found =>
    expect(statuses(found)).toEqual({
      'Written as 1': 'done',
      'Written as 2': 'validation',
      'Written as 3': 'on_hold',
      'Written as 4': 'cancelled',
      'Written as 5': 'cancelled',
      'Written as 6': 'in_progress',
      'Written as 7': 'done',
      'Written as 8': 'in_progress',
    }),
  'taskmaster-two-forms': found =>
    expect(statuses(found)).toEqual({ 'In the old form': 'not_started', 'In the tag': 'done' }),
  'beads-template.jsonl': found => {
    expect(statuses(found)).toEqual({})
    expect(found.report.sums).toMatchObject({ skipped: 1 })
  },
  'beads-closed-time.jsonl': ({ cards }) =>
    expect(cards.get('Paint the fence')).toMatchObject({ status: 'done', moved_at: '2026-01-05T00:00:00.000Z' }),
  'beads-same-id-newer.jsonl': found => expect(statuses(found)).toEqual({ 'Paint the fence': 'done' }),
  'beads-backup-folder/.beads': found => {
    expect(waits(found)).toEqual({ 'Paint the fence': [], Dry: ['Paint the fence'] })
    expect(found.cards.get('Paint the fence')?.labels).toContain('outdoor')
  },
  'taskmaster-one-bad-task': found => {
    expect(found.cards.has('Good')).toBe(true)
    expect(notRead(found)).toEqual(['.taskmaster/tasks/tasks.json:10'])
  },
  'backlog-one-bad-head': found => {
    expect([...found.cards.keys()]).toEqual(['Good'])
    expect(notRead(found)).toEqual(['backlog/tasks/task-1 - Colon.md:3'])
  },
  'taskmaster-subtask-on-task': found => expect(waits(found)).toMatchObject({ Sub: ['B'] }),
  'backlog-decision-without-head': found => expect(found.report.sums).toMatchObject({ skipped: 0, not_read: 0 }),
  'zip-from-a-mac.zip': found => expect(found.cards.size).toBe(1),
}

describe.skipIf(!isThere)('imports of what failed (imports 1-5)', () => {
  test.each(Object.keys(right))('%s is right', async name => right[name]!(await imported(name)))

  const all = isThere ? readdirSync(cases).filter(name => !/\.(?:md|txt)$/.test(name)) : []

  test.each(all)('a second run of %s changes nothing, and a dry run says the same', async name => {
    const file = await fileOf(name)
    const first = await world.call('import_board', { file })
    if (first.status >= 400) {
      expect(first.body.detail.error).toMatch(/^(?:VALIDATION_ERROR|AMBIGUOUS_SOURCE)$/)
      return
    }
    const dry = await world.ok('import_board', { file, dry_run: true })
    expect(dry.sums).toEqual(first.body.sums)
    const { board_id } = first.body
    const second = await world.ok('import_board', { file, board_id })
    expect(second.sums).toMatchObject({ created: 0, changed: 0, not_read: first.body.not_read_total })
  })
})
