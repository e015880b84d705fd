import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start({ metrics: 'on', metricsPort: 0 })
})

afterAll(() => world.stop())

/** The values of a text in the form of OpenMetrics, by name and labels. */
const valuesIn = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

async function scraped(): Promise<Map<string, number>> {
  const response = await fetch(world.running.metricsUrl!)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ])
  const text = await response.text()
  expect(text.endsWith('# EOF\n')).toBe(true)
  return valuesIn(text)
}

const calls = (operation: string, status: number) =>
  `specboard_calls_total{operation="${operation}",door="http",status="${status}"}`

describe('metrics (access 13)', () => {
  test('counts calls by operation, door and status, refused ones too, and how long they took', async () => {
    const before = await scraped()
    const scene = await Scene.on(world)
    await world.call('get_card', { card_id: 'none' })
    await world.call('get_board', { board_id: scene.boardId })
    await world.call('get_board', { board_id: scene.boardId })
    const after = await scraped()
    const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(more(calls('get_board', 200))).toBe(2)
    expect(more(calls('get_card', 404))).toBe(1)
    expect(more('specboard_call_duration_seconds_count{operation="get_board",door="http"}')).toBe(2)
    expect(more('specboard_write_units')).toBeGreaterThan(0)
  })

  test.each([
    'specboard_open_streams',
    'specboard_open_files',
    'specboard_nodes',
    'specboard_database_bytes',
    'specboard_disk_free_bytes',
    'specboard_problems',
    'specboard_write_commits',
    'specboard_database_waiting',
    'specboard_lock_wait_seconds',
    'specboard_wal_bytes',
    'specboard_connections_open',
    'specboard_graph_behind_records',
    'specboard_search_behind_changes',
    'specboard_webhooks_failing',
    'specboard_follower_lag_seconds{follower="graph"}',
    'specboard_follower_lag_seconds{follower="webhooks"}',
    'specboard_follower_lag_seconds{follower="notifications"}',
    'specboard_follower_lag_seconds{follower="forges"}',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])('tells %s', async name => {
    expect((await scraped()).get(name)).toBeGreaterThanOrEqual(0)
  })

  test('leaves out what is not known', async () => {
    expect([...(await scraped()).keys()].filter(name => name.startsWith('specboard_backup'))).toEqual([])
  })

  test('are given on the port of the service to keys that may read its state', async () => {
    const get = (headers: Record<string, string>) => fetch(`${world.running.url}/metrics`, { headers })
    expect((await get({})).status).toBe(401)
    const blind = await world.agent({ permission_flags: { SETTINGS_READ: false } })
    expect((await get({ authorization: `Bearer ${blind.key}` })).status).toBe(403)
    const answer = await get({ authorization: `Bearer ${world.owner.key}` })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await answer.text()).toContain('specboard_problems 0')
  })

  test('are not there unless somebody asks for them', async () => {
    const plain = await World.start()
    try {
      expect(plain.running.metricsUrl).toBeUndefined()
      const answer = await fetch(`${plain.running.url}/metrics`, {
        headers: { authorization: `Bearer ${plain.owner.key}` },
      })
      expect(answer.status).toBe(404)
    } finally {
      await plain.stop()
    }
  })
})
