import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type OperationName, operationByName } from '@specboard/contract'
import { writeLastRun } from '@specboard/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenedService, openService } from '../../open.ts'
import { migratedFolder } from '../../schema/empty-database.testing.ts'
import { noAnswer, shortOfHandles } from './condition.ts'

let root: string
let opened: OpenedService
let isOpen = false
let changed: (problem: string, isOver: boolean) => void = () => {}
let now = Date.parse('2026-03-01T10:00:00.000Z')

const day = 24 * 3_600_000
const folder = () => join(root, 'data')

beforeEach(async () => {
  root = await migratedFolder('specboard-condition-')
  opened = await openService({
    folder: folder(),
    version: '1.2.3',
    clock: () => now,
    workers: false,
    onCondition: (problem, isOver) => changed(problem, isOver),
    backups: { into: join(root, 'backups'), everyMs: day, keep: 7 },
  })
  isOpen = true
})

afterEach(async () => {
  await close()
  await rm(root, { recursive: true, force: true })
})

async function close() {
  if (isOpen) await opened.close()
  isOpen = false
}

/** The problems a little later, because an answer is reused for a second. */
function problems() {
  now += 2_000
  return opened.service.environment.condition.problems()
}

describe('what is wrong with a service', () => {
  test('nothing, until backups fail, grow too old or are gone', async () => {
    expect(await problems()).toEqual([])
    const file = join(root, 'data', 'specboard.db')
    writeLastRun(folder(), { last_at: new Date(now).toISOString(), outcome: 'ok', file })
    expect(await problems()).toEqual([])
    writeLastRun(folder(), { last_at: '2026-03-01T12:00:00.000Z', outcome: `no room in ${root}`, file: null }, true)
    expect(await problems()).toEqual([
      'the backup of 2026-03-01T12:00:00.000Z failed: see the log, or "specboard doctor"',
    ])
    const at = new Date(now).toISOString()
    writeLastRun(folder(), { last_at: at, outcome: 'ok', file }, true)
    now += 2 * day
    expect(await problems()).toEqual([`the newest good backup is from ${at}`])
    writeLastRun(folder(), { last_at: '2026-03-04T10:00:00.000Z', outcome: 'ok', file: join(root, 'gone.zip') })
    expect(await problems()).toEqual(['the file of the backup of 2026-03-04T10:00:00.000Z is gone: create another'])
  })

  test.each([
    ['graph_behind_records', 100, undefined],
    ['graph_behind_records', 101, 'the knowledge graph is 101 records behind'],
    ['search_behind_changes', 10_000, undefined],
    ['search_behind_changes', 10_001, 'search is about 10001 changes behind'],
    ['webhooks_failing', 0, undefined],
    ['webhooks_failing', 1, '1 webhook is failing'],
    ['webhooks_failing', 3, '3 webhooks are failing'],
  ])('%s of %d is told as %s', (metric, count, expected) => {
    const { condition, settings } = opened.service.environment
    const backlog = condition.backlogs.find(each => each.metric === metric)
    expect(backlog?.problem(count, { ...settings.values, kg_queue_alert_threshold: 100 })).toBe(expected)
  })
})

test.each([
  [undefined, []],
  [{ open: 89, max: 100 }, []],
  [{ open: 90, max: 100 }, ['90 of 100 file handles are open: let the process have more']],
])('the handles %j are told as %j', (files, expected) => {
  expect(shortOfHandles(files)).toEqual(expected)
})

test('what begins to be wrong and what is over is told once', async () => {
  const messages: string[] = []
  changed = (problem, isOver) => messages.push(`${isOver ? 'over' : 'wrong'}: ${problem}`)
  const file = join(root, 'data', 'specboard.db')
  for (const last_at of ['2026-03-01T12:00:00.000Z', '2026-03-01T13:00:00.000Z']) {
    writeLastRun(folder(), { last_at, outcome: 'no room', file: null }, true)
    await problems()
  }
  writeLastRun(folder(), { last_at: new Date(now).toISOString(), outcome: 'ok', file }, true)
  await problems()
  const failed = (at: string) => `the backup of ${at} failed: see the log, or "specboard doctor"`
  expect(messages).toEqual([
    `wrong: ${failed('2026-03-01T12:00:00.000Z')}`,
    `over: ${failed('2026-03-01T13:00:00.000Z')}`,
  ])
})

test('a database that does not answer is among the problems, is counted, and is told of', async () => {
  const messages: string[] = []
  changed = (problem, isOver) => messages.push(`${isOver ? 'over' : 'wrong'}: ${problem}`)
  await close()
  expect([await problems(), await problems()]).toEqual([[noAnswer], [noAnswer]])
  expect(messages).toEqual([`wrong: ${noAnswer}`])
})

test('followers of the writes are as far behind as the oldest that waits for them', async () => {
  const { condition } = opened.service.environment
  expect([...(await condition.lags())]).toEqual([
    ['graph', 0],
    ['webhooks', 0],
    ['notifications', 0],
    ['forges', 0],
  ])
  const caller = (await opened.service.authenticate(opened.ownerKey!))!
  const call = (operation: OperationName, params: Record<string, string>, body: unknown) =>
    opened.service.perform({ operation: operationByName.get(operation)!, input: { params, query: {}, body }, caller })
  const { body: board } = await call('create_board', {}, { name: 'Board', description: '' })
  await call('create_ideation', { board_id: (board as { id: string }).id }, { title: 'Idea' })
  now += 90_000
  expect((await condition.lags()).get('graph')).toBe(90)
})

test('a service whose writes succeed is ready, and a closed one is not', async () => {
  const { condition } = opened.service.environment
  expect(await condition.readiness()).toEqual({ ready: true, problems: [] })
  await close()
  now += 2_000
  const closed = await condition.readiness()
  expect(closed).toEqual({ ready: false, problems: ['writes are refused: the database is closed'] })
})
