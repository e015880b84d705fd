import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { features } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedService, openService } from '../../open.ts'

let folder: string
let opened: OpenedService
let now = 0
/** How much each reading of the clock advances it, ms. */
let step = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specboard-health-'))
  opened = await openService({ folder, version: '1.2.3', clock: () => (now += step) })
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
  expect(await health()).toStrictEqual({ status: 503, body: { status: 'unhealthy', version: '1.2.3' } })
})

test('is unhealthy with 503 when the database does not answer', async () => {
  await opened.close()
  step = 0
  expect(await health()).toStrictEqual({ status: 503, body: { status: 'unhealthy', version: '1.2.3' } })
})
