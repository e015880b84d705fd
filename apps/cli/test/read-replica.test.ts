import { canStartServer, onServer, privateServer, type Standby, standbyOf } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replicaFindings } from '../src/replica-findings.ts'
import { eventually } from './support/eventually.ts'
import { World } from './support/world.ts'

describe.skipIf(!canStartServer())('a service that reads on a replica (access 13)', { timeout: 120_000 }, () => {
  let primary: Awaited<ReturnType<typeof privateServer>>
  let standby: Standby | undefined
  let databaseUrl: string
  let readUrl: string
  let world: World

  beforeAll(async () => {
    primary = await privateServer()
    databaseUrl = await primary.database()
    standby = await standbyOf(primary.url)
    const own = new URL(databaseUrl)
    own.port = new URL(standby.url).port
    readUrl = own.href
    world = await World.start({ databaseUrl, databaseReadUrl: readUrl, metrics: 'on', metricsPort: 0 })
  }, 120_000)

  afterAll(async () => {
    await world?.stop()
    await standby?.stop()
    await primary?.stop()
  })

  const replica = async () => (await world.ok('get_service_status')).database.replica
  const isUsed = (used: boolean) => eventually(async () => expect(await replica()).toMatchObject({ used }))
  const metric = async (name: string) => {
    const text = await (await fetch(world.running.metricsUrl!)).text()
    return Number(new RegExp(`^specboard_${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
  const health = async () => (await fetch(`${world.running.url}/health`)).json()

  test('answers of reads come from it, with what was written just before', async () => {
    await isUsed(true)
    const before = await metric('replica_reads')
    const board_id = (await world.ok('create_board', { name: 'Board', description: 'd' })).id
    for (let index = 0; index < 20; index++) {
      const { id } = await world.ok('create_spec', { board_id, title: `Spec ${index}` })
      expect(await world.ok('get_spec', { spec_id: id })).toMatchObject({ title: `Spec ${index}` })
      expect((await world.ok('list_specs', { board_id })).map((spec: { id: string }) => spec.id)).toContain(id)
    }
    // On a busy machine the replica may be late for a moment.
    await eventually(async () => {
      await world.ok('get_board', { board_id })
      expect(await metric('replica_reads')).toBeGreaterThan(before)
      expect(await metric('replica_used')).toBe(1)
      expect(await replica()).toEqual({ used: true, lag_bytes: expect.any(Number), problem: null })
    })
  })

  test('while it replays nothing, reads are current and rights count at once', async () => {
    const board_id = (await world.ok('create_board', { name: 'Paused', description: 'd' })).id
    const reader = await world.agent()
    await world.ok('grant_board_access', { board_id, agent_id: reader.id })
    await isUsed(true)
    await onServer(readUrl, 'select pg_wal_replay_pause()')
    try {
      await world.ok('update_board', { board_id, name: 'Renamed' })
      expect(await world.ok('get_board', { board_id })).toMatchObject({ name: 'Renamed' })
      expect((await world.call('get_board', { board_id }, { as: reader })).status).toBe(200)
      await world.ok('revoke_board_access', { board_id, agent_id: reader.id })
      expect((await world.call('get_board', { board_id }, { as: reader })).status).toBe(404)
      await isUsed(false)
      await eventually(async () => expect(await metric('replica_lag_bytes')).toBeGreaterThan(0))
      expect(await metric('replica_used')).toBe(0)
    } finally {
      await onServer(readUrl, 'select pg_wal_replay_resume()')
    }
    await isUsed(true)
  })

  test('once it is gone the primary answers, and health and doctor say so', async () => {
    const doctor = async () => (await replicaFindings(databaseUrl, readUrl))[0]
    expect(await doctor()).toEqual({ name: 'read replica', ok: true, says: 'follows the database, and keeps up' })
    await standby!.stop()
    standby = undefined
    const board_id = (await world.ok('create_board', { name: 'Alone', description: 'd' })).id
    expect(await world.ok('get_board', { board_id })).toMatchObject({ name: 'Alone' })
    await eventually(async () =>
      expect(await health()).toMatchObject({
        status: 'degraded',
        problems: [expect.stringMatching(/^the read replica does not answer/)],
      }),
    )
    expect(await world.ok('get_board', { board_id })).toMatchObject({ name: 'Alone' })
    expect(await doctor()).toMatchObject({ ok: false, says: expect.stringMatching(/SPECBOARD_DATABASE_READ_URL/) })
  })
})
