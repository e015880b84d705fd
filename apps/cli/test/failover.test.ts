import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { canStartServer, onServer, privateServer, type Standby, standbyOf } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { World } from './support/world.ts'

/**
 * The address at which a service finds its database: new connections lead to one server, later to another, and existing
 * ones are never cut.
 */
class Door {
  readonly #server = createServer(client => this.#lead(client))
  readonly #open = new Set<Socket>()
  #port: number

  constructor(url: string) {
    this.#port = portOf(url)
  }

  async listen(): Promise<number> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  leadTo(url: string): void {
    this.#port = portOf(url)
  }

  close(): void {
    for (const socket of this.#open) socket.destroy()
    this.#server.close()
  }

  #lead(client: Socket): void {
    const there = connect(this.#port, '127.0.0.1')
    for (const socket of [client, there]) {
      this.#open.add(socket)
      socket.on('error', () => {}).on('close', () => this.#open.delete(socket))
    }
    client.pipe(there).on('close', () => client.destroy())
    there.pipe(client).on('close', () => there.destroy())
  }
}

const portOf = (url: string): number => Number(new URL(url).port)

describe.skipIf(!canStartServer())('PostgreSQL fails over to a standby (access 13)', { timeout: 120_000 }, () => {
  let primary: Awaited<ReturnType<typeof privateServer>>
  let standby: Standby
  let door: Door
  let world: World

  beforeAll(async () => {
    primary = await privateServer()
    const own = new URL(await primary.database())
    standby = await standbyOf(primary.url)
    door = new Door(primary.url)
    own.port = String(await door.listen())
    world = await World.start({ databaseUrl: own.href })
  }, 120_000)

  afterAll(async () => {
    await world?.stop()
    door?.close()
    await standby?.stop()
  })

  const create = (name: string) => world.call('create_board', { name, description: 'd' })
  const names = async () => (await world.ok('list_boards')).map(({ name }: { readonly name: string }) => name)
  const ask = async (path: string) => {
    const response = await fetch(`${world.running.url}${path}`)
    return { ...((await response.json()) as object), status: response.status }
  }
  const refused = 'writes are refused: the database takes no writes, as on a standby'

  test('writes are 503 while there is only a standby, which reads are answered from; nothing is lost', async () => {
    expect((await create('before')).status).toBe(201)
    const [at] = await onServer<{ at: string }>(primary.url, 'select pg_current_wal_lsn()::text as at')
    await eventually(async () => {
      const statement = `select pg_last_wal_replay_lsn() >= '${at!.at}' as is_there`
      expect(await onServer(standby.url, statement)).toEqual([{ is_there: true }])
    })
    door.leadTo(standby.url)
    await primary.stop()

    const answer = await eventually(async () => {
      const { status, body, headers } = await create('meanwhile')
      expect([status, body.detail]).toEqual([
        503,
        expect.objectContaining({ error: 'BUSY', message: expect.stringMatching(/standby/) }),
      ])
      return headers
    })
    expect(Number(answer.get('retry-after'))).toBeGreaterThan(0)
    expect(await names()).toEqual(['before'])
    await eventually(async () =>
      expect(await ask('/ready')).toMatchObject({ status: 503, problems: expect.arrayContaining([refused]) }),
    )
    await eventually(async () =>
      expect(await ask('/health')).toMatchObject({ status: 200, problems: expect.arrayContaining([refused]) }),
    )

    await standby.promote()
    await eventually(async () => expect((await create('after')).status).toBe(201))
    expect(await names()).toEqual(expect.arrayContaining(['before', 'after']))
    await eventually(async () => expect(await ask('/ready')).toEqual({ status: 200, ready: true, problems: [] }))
    expect(await ask('/health')).toMatchObject({ status: 200 })
  })
})
