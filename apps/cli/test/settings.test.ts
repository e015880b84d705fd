import { runtimeSettings } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audited, queried } from './support/event-log.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start({ pinned: { page_cache_mb: 8 } })
})

afterAll(() => world.stop())

const defaults = Object.fromEntries(Object.entries(runtimeSettings).map(([key, setting]) => [key, setting.default]))
const get = () => world.ok('get_runtime_settings')
const put = (values: object) => world.call('put_runtime_settings', { ...values })

test('every key has its default and what the environment pins, and never needs a restart (access 12)', async () => {
  expect(await get()).toStrictEqual({
    ...defaults,
    page_cache_mb: 8,
    restart_required: false,
    pinned: ['page_cache_mb'],
  })
})

describe('put_runtime_settings (access 12)', () => {
  test('changes what is sent; absent, null and unknown keys change nothing', async () => {
    const { body } = await put({ kg_queue_max_attempts: 7, kg_queue_min_interval_ms: null, unknown: 'x' })
    expect(body).toStrictEqual({ ...(await get()), kg_queue_max_attempts: 7, kg_queue_min_interval_ms: 100 })
    const before = await get()
    expect((await put({})).body).toStrictEqual(before)
  })

  test.each(Object.entries(runtimeSettings))('%s accepts its range and nothing beyond', async (key, { min, max }) => {
    if (key !== 'page_cache_mb')
      for (const value of [min, max]) expect((await put({ [key]: value })).body[key]).toBe(value)
    for (const [value, type] of [
      [min - 1, 'greater_than_equal'],
      [max + 1, 'less_than_equal'],
    ]) {
      const { status, body } = await put({ [key]: value })
      expect([status, body.detail]).toMatchObject([422, [{ loc: ['body', key], type }]])
    }
  })

  test.each(['4', 4.5, true, [], {}])('%j is not an integer: 422', async value => {
    const { status, body } = await put({ kg_queue_max_attempts: value })
    expect([status, body.detail]).toMatchObject([422, [{ loc: ['body', 'kg_queue_max_attempts'], type: 'int_type' }]])
  })

  test('with one bad key nothing is stored', async () => {
    const before = await get()
    const { status, body } = await put({ kg_decay_tick_max_age_days: 9, kg_queue_max_attempts: 0, page_cache_mb: 1 })
    expect([status, body.detail.length]).toStrictEqual([422, 2])
    expect(await get()).toStrictEqual(before)
  })

  test('a pinned key may be sent unchanged; another value is 409 with the keys', async () => {
    expect((await put({ page_cache_mb: 8 })).status).toBe(200)
    const { status, body } = await put({ page_cache_mb: 9, kg_queue_alert_threshold: 500 })
    expect([status, body.detail]).toMatchObject([409, { error: 'SETTING_PINNED', keys: ['page_cache_mb'] }])
    expect(
      queried(
        world,
        "select * from runtime_settings where key in ('page_cache_mb', 'kg_queue_alert_threshold') and value in (8, 9, 500)",
      ),
    ).toStrictEqual([])
  })

  test('two at once are merged key by key; what is stored is what is in effect', async () => {
    await Promise.all([
      put({ kg_queue_claim_timeout_s: 61, kg_queue_max_concurrent_workers: 2 }),
      put({ kg_queue_claim_timeout_s: 62, kg_decay_tick_staleness_days: 3 }),
    ])
    const inEffect = await get()
    expect(inEffect).toMatchObject({ kg_queue_max_concurrent_workers: 2, kg_decay_tick_staleness_days: 3 })
    const stored = queried(world, "select value from runtime_settings where key = 'kg_queue_claim_timeout_s'")
    expect(stored).toMatchObject([{ value: inEffect.kg_queue_claim_timeout_s }])
  })
})

test('a change is audited with the names of its keys; no change leaves no entry (access 14)', async () => {
  const before = audited(world, 'runtime').length
  await put({ kg_queue_max_attempts: 3, kg_decay_tick_max_age_days: 5 })
  await put({ kg_queue_max_attempts: 3 })
  expect(audited(world, 'runtime').slice(before)).toMatchObject([
    { action: 'settings_updated', fields: ['kg_decay_tick_max_age_days', 'kg_queue_max_attempts'] },
  ])
})
