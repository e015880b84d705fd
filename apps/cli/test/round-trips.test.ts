import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from './support/world.ts'
import { zipEntries, zipOf } from './support/zip-entries.ts'

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A real backlog of each tool, named by a variable or next to the project; it is not part of the project. */
const backlogs = [
  ['SPECBOARD_BACKLOG_MD', process.env.SPECBOARD_BACKLOG_MD ?? beside('../../../../shared/data/backlog-md')],
  ['SPECBOARD_BEADS', process.env.SPECBOARD_BEADS ?? beside('../../../../shared/data/beads/issues.jsonl')],
] as const

let from: World
let to: World

beforeAll(async () => {
  from = await World.start()
  to = await World.start()
})

afterAll(async () => {
  await from.stop()
  await to.stop()
})

/** A file, or a folder as a zip. */
async function fileOf(path: string): Promise<File> {
  if (path.endsWith('.jsonl')) return new File([readFileSync(path)], basename(path))
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const entries = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
  const zip = await zipOf(entries.map(entry => [relative(path, entry), readFileSync(entry)] as const))
  return new File([zip], 'backlog.zip')
}

/** Takes a board out of one service and into an empty one; what comes out there must be what went in. */
async function expectUnchanged(board_id: string): Promise<void> {
  const archive = await from.archive(board_id)
  const { skipped, problems, board_id: there } = await to.ok('import_board', { file: archive })
  // Approvals are not imported, which the report notes.
  const changed = problems.filter(({ severity }: { readonly severity: string }) => severity !== 'note')
  expect([there, skipped, changed]).toEqual([board_id, {}, []])
  const [before, after] = [await zipEntries(archive), await zipEntries(await to.archive(board_id))]
  expect([...after.keys()]).toEqual([...before.keys()])
  for (const name of ['records.jsonl', 'events.jsonl', 'agents.jsonl'])
    expect(String(after.get(name)).split('\n'), name).toEqual(String(before.get(name)).split('\n'))
}

test('the demo board that the pages offer leaves, comes in and leaves again byte for byte (exchange 4)', async () => {
  const demo = readFileSync(beside('../../web/src/demo/demo.specboard.zip'))
  const { board_id } = await from.ok('import_board', { file: new File([demo], 'demo.specboard.zip') })
  await expectUnchanged(board_id)
})

test('a guideline of another tool, which has two external ids after a round trip, leaves again (exchange 4)', async () => {
  const config = 'project_name: Shop\nstatuses: ["To Do", "Done"]\n'
  const task =
    '---\nid: task-1\ntitle: Pay by card\nstatus: To Do\n---\n\n## Definition of Done\n\n- [ ] #1 Tests pass\n'
  const zip = await zipOf([
    ['backlog/config.yml', config],
    ['backlog/tasks/task-1 - Pay-by-card.md', task],
  ])
  const { board_id } = await from.ok('import_board', { file: new File([zip], 'backlog.zip') })
  expect(await from.ok('list_board_guidelines', { board_id })).toHaveLength(1)
  await expectUnchanged(board_id)
})

describe.each(backlogs)('a real backlog (needs %s or ../shared/data)', (_, path) => {
  test.skipIf(!existsSync(path))(
    'imported from its tool, it leaves, comes in and leaves again byte for byte (exchange 4)',
    async () => {
      const { board_id, read } = await from.ok('import_board', { file: await fileOf(path) })
      expect(read.card).toBeGreaterThan(100)
      await expectUnchanged(board_id)
    },
  )
})
