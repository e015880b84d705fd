import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { features } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedService, openService } from '../../open.ts'
import { migratedFolder } from '../../schema/empty-database.testing.ts'

let folder: string
let opened: OpenedService
/** Resolves once the files are lost and everything is closed. */
const lost = Promise.withResolvers<unknown>()
let now = 0
/** How much each reading of the clock advances it, ms. */
let step = 0

beforeAll(async () => {
  folder = await migratedFolder('specboard-health-')
  opened = await openService({ folder, version: '1.2.3', clock: () => (now += step), onLoss: lost.resolve })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const health = () =>
  opened.service.perform({
    operation: features.health.get_health,
    input: { params: {}, query: {}, body: undefined },
    caller: null,
  })

test('is healthy while the database answers', async () => {
  expect(await health()).toStrictEqual({ status: 200, body: { status: 'healthy', version: '1.2.3' } })
})

test('is unhealthy with 503 when the answer takes longer than a second', async () => {
  step = 1_001
  expect(await health()).toStrictEqual({
    status: 503,
    body: { status: 'unhealthy', version: '1.2.3', problems: ['the database does not answer'] },
  })
})

test('is degraded with 200 while something is wrong with the files, and says what', async () => {
  step = 0
  await opened.close()
  await writeFile(join(folder, 'specboard.db-wal.damaged-2030-01-02T03.04.05.678Z'), '')
  opened = await openService({ folder, version: '1.2.3', clock: () => (now += step), onLoss: lost.resolve })
  const problem = 'the log ended early: writes since 2030-01-02T03:04:05.678Z may be missing; newest backup: none'
  expect(await health()).toStrictEqual({
    status: 200,
    body: { status: 'degraded', version: '1.2.3', problems: [problem] },
  })
})

test('is unhealthy with 503 when the files are lost', async () => {
  await rm(join(folder, 'specboard.db'))
  let answer = await health()
  while (answer.status === 200) {
    await new Promise(resolve => setImmediate(resolve))
    answer = await health()
  }
  expect(answer).toStrictEqual({
    status: 503,
    body: {
      status: 'unhealthy',
      version: '1.2.3',
      problems: expect.arrayContaining([
        'the storage was lost: specboard.db was removed while the service was running',
      ]),
    },
  })
})

test('is unhealthy with 503 when the database does not answer', async () => {
  await opened.close()
  expect(await lost.promise).toMatchObject({ cause: 'specboard.db was removed' })
  await rm(folder, { recursive: true })
  opened = await openService({ folder, version: '1.2.3' })
  await opened.close()
  expect(await health()).toStrictEqual({
    status: 503,
    body: {
      status: 'unhealthy',
      version: '1.2.3',
      problems: expect.arrayContaining(['the database does not answer']),
    },
  })
})
