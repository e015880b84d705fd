import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readWithoutLock, writeWithoutLock } from '@specboard/domain'
import { expect, test } from 'vitest'
import { Lab } from '../../../tools/lab/harness/lab.ts'
import type { Service } from '../../../tools/lab/harness/service.ts'
import { archivingFindings } from '../src/event-findings.ts'
import { readSettings } from '../src/settings.ts'
import { eventually } from './support/eventually.ts'

/** Every kill starts another server, ms. */
const limit = 180_000

const environment = { SPECBOARD_EVENTS_KEEP_DAYS: '90' }

const months = ['2024-01', '2024-02', '2024-03', '2024-04', '2024-05', '2024-06']

/** Entries of each month. */
const perMonth = 600

/** The newest entries of a board, which stay. */
const newest = 2_000

interface Line {
  readonly id: string
}

test(
  'kill -9 while entries are archived: each is in the log or whole in a file, and the next start goes on (work 5.1)',
  async () => {
    await using lab = await Lab.open(process.env.SPECBOARD_TEST_ENGINE)
    const folder = join(lab.path('data'), 'event-archives')
    const files = () =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.gz'))
        : []
    const firstRun = await lab.start()
    const board_id = (await firstRun.client.createBoard({ name: 'Old', description: '' })).id
    const mine = (service: Service, query = '') =>
      fetch(`${service.url}/api/v1/me/events/stream?wait_ms=0${query}`, {
        headers: { ...service.headers, accept: 'application/json' },
      })
    const { cursor } = (await (await mine(firstRun)).json()) as { cursor: string }
    await firstRun.stop()
    const place = lab.place()
    const logged = () =>
      readWithoutLock(place, async db => (await db.selectFrom('events').select('id').execute()).map(({ id }) => id))
    const reached = Number(Buffer.from(cursor, 'base64url').toString().split(' ')[1])
    await writeWithoutLock(place, async db => {
      const { seq } = await db.selectFrom('boards').select('seq').where('id', '=', board_id).executeTakeFirstOrThrow()
      const pattern = await db
        .selectFrom('events')
        .selectAll()
        .where('board_id', '=', board_id)
        .executeTakeFirstOrThrow()
      const count = months.length * perMonth + newest
      for (let at = 1; at <= count; at += 100)
        await db
          .insertInto('events')
          .values(
            Array.from({ length: 100 }, (_, n) => {
              const month = months[Math.floor((at + n - 1) / perMonth)] ?? '2024-07'
              const created_at = `${month}-05T00:00:00.000Z`
              return { ...pattern, id: `e${at + n}`, seq: seq + at + n, position: reached + at + n, created_at }
            }),
          )
          .execute()
      await db
        .updateTable('boards')
        .set({ seq: seq + count })
        .where('id', '=', board_id)
        .execute()
      await db
        .updateTable('counters')
        .set({ value: reached + count })
        .execute()
    })
    const before = (await logged()).toSorted()
    const findingsWith = async (variables: Readonly<Record<string, string>>) =>
      archivingFindings(
        { ...readSettings({ dataDir: place.folder }, variables), databaseUrl: place.databaseUrl },
        Date.now(),
      )
    expect(await findingsWith({})).toMatchObject([
      { ok: true, says: expect.stringMatching(/^off; .+ free 3600 entries older than 365/) },
    ])
    expect(await findingsWith(environment)).toMatchObject([
      { ok: true, says: expect.stringMatching(/^3600 entries .+ [KM]iB will be moved/) },
    ])
    const unusable = { ...environment, SPECBOARD_EVENTS_ARCHIVE_DIR: join(import.meta.filename, 'archives') }
    expect(await findingsWith(unusable)).toMatchObject([
      { ok: false, says: expect.stringMatching(/archives cannot be written to \(it is not a folder\)/) },
    ])
    for (let kills = 0; kills < 2; kills++) {
      const had = files().length
      const server = await lab.start('data', environment)
      await eventually(() => {
        if (files().length === had) throw new Error('No file yet.')
      })
      await server.kill()
    }
    const server = await lab.start('data', environment)
    const remaining = newest + before.length - months.length * perMonth - newest
    await eventually(async () => expect((await logged()).length).toBe(remaining))
    const archived = files().flatMap(name =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString()
        .trimEnd()
        .split('\n')
        .map(line => (JSON.parse(line) as Line).id),
    )
    expect([...new Set([...archived, ...(await logged())])].toSorted()).toEqual(before)
    // A reader with an older position learns of the archiving, in each of the ways to read.
    expect(await server.client.listBoardEvents({ board_id })).toHaveProperty('archived_up_to')
    const refused = await mine(server, `&after=${cursor}`)
    expect([refused.status, await refused.text()]).toEqual([410, expect.stringContaining('INVALID_CURSOR')])
    const stream = await fetch(`${server.url}/api/v1/boards/${board_id}/events/stream?after=1`, {
      headers: { ...server.headers, accept: 'text/event-stream' },
    })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let received = ''
    while (!received.includes('\n\n') || !received.includes('event:')) received += (await reader.read()).value
    await reader.cancel()
    expect(received).toContain('event: board.reset')
    await server.stop()
  },
  limit,
)
