/**
 * What callers and operators see of each fault: the rows of the table in docs/reliability.md, each produced on a real
 * process, and looked at through every door.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { Agent, get as getOver } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putEmptyDatabase } from '@specboard/domain/testing'
import { describeOnSqlite } from '@specboard/storage/on-sqlite'
import { canStartServer, onServer, privateServer } from '@specboard/storage/testing'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Finished, runCommandIn, ServerProcess } from './support/command.ts'
import { eventually } from './support/eventually.ts'
import { HttpSink } from './support/http-sink.ts'

type Variables = Readonly<Record<string, string>>

let root: string
let folder: string
let server: ServerProcess | undefined
let key = ''
let variables: Variables = {}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specboard-fault-table-'))
  folder = join(root, 'data')
  variables = {}
})

afterEach(async () => {
  await server?.end('SIGKILL')
  server = undefined
  rmSync(root, { recursive: true, force: true })
})

/** Serves the folder, which is made at the first start. */
async function serve(more: Variables = {}): Promise<void> {
  if (!existsSync(folder) && more.SPECBOARD_DATABASE_URL === undefined) {
    mkdirSync(folder, { mode: 0o700 })
    await putEmptyDatabase(folder)
  }
  variables = { SPECBOARD_METRICS: 'on', ...more }
  server = await ServerProcess.start(folder, 'info', variables)
  key = server.key ?? key
}

async function stop(signal?: NodeJS.Signals): Promise<Finished> {
  const ended = await server!.end(signal)
  server = undefined
  return ended
}

const authorization = () => ({ authorization: `Bearer ${key}` })

async function look(path: string) {
  const response = await fetch(`${server!.url}${path}`)
  const { problems = [] } = (await response.json()) as { readonly problems?: readonly string[] }
  return { status: response.status, problems }
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${server!.url}/api/v1${path}`, {
    method,
    headers: { ...authorization(), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of several operations
  const answer = (await response.json()) as any
  return { status: response.status, body: answer, error: answer?.detail?.error as string | undefined }
}

const write = (description = '') => call('POST', '/boards', { name: 'Board', description })
const read = async () => (await call('GET', '/boards')).status

/** The answer to the first message of an MCP client, which stores a secret where there is none yet. */
async function handshake() {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const response = await fetch(`${server!.url}/mcp`, {
    method: 'POST',
    headers: {
      ...authorization(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  const { detail } = (await response.json()) as { readonly detail?: { readonly error: string } }
  return [response.status, response.headers.get('retry-after'), detail?.error]
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server!.url}/metrics`, { headers: authorization() })).text()
  return Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${name} `))
      ?.slice(name.length),
  )
}

/** What doctor finds wrong, by name. */
async function doctor(): Promise<ReadonlyMap<string, string>> {
  const { output } = await runCommandIn({ variables }, 'doctor', '--json', '--data-dir', folder)
  const { findings } = JSON.parse(output) as { findings: { name: string; ok: boolean; says: string }[] }
  return new Map(findings.filter(({ ok }) => !ok).map(({ name, says }) => [name, says]))
}

/** The lines of a log with a message. */
const logged = ({ errors }: Finished, message: string) =>
  errors
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
    .filter(({ msg }) => msg === message)

const problem = (says: unknown) => expect.arrayContaining([says])

/** Each starts processes. */
const timeout = 240_000

describeOnSqlite('faults of the embedded database', { timeout }, () => {
  const megabytes = 16
  const disk = mkdtempSync(join(tmpdir(), 'specboard-fault-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk]).status === 0

  afterAll(() => {
    if (isMounted) spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })

  const fill = () => {
    const filler = join(disk, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(megabytes << 20))
    } catch {
      truncateSync(filler, statSync(filler).size)
    }
  }

  test.skipIf(!isMounted)('the disk is nearly full', async () => {
    folder = join(disk, 'nearly')
    await serve()
    expect((await write()).status).toBe(201)
    const says = expect.stringMatching(/^the disk of the data folder has \d+ MiB left: make room$/)
    expect(await look('/health')).toEqual({ status: 200, problems: problem(says) })
    expect(await look('/ready')).toMatchObject({ status: 200 })
    expect(await metric('specboard_disk_free_bytes')).toBeLessThan(megabytes << 20)
    expect(await metric('specboard_problems')).toBe(1)
    expect((await doctor()).get('free space')).toMatch(/make room/)
    expect(logged(await stop(), 'problem')).toEqual([expect.objectContaining({ level: 40, problem: says })])
  })

  test.skipIf(!isMounted)('the disk is full', async () => {
    folder = join(disk, 'full')
    await serve()
    fill()
    try {
      const text = 'x'.repeat(100_000)
      const { error } = await eventually(async () => {
        const answer = await write(text)
        expect(answer.status).toBe(503)
        return answer
      })
      expect([error, await read()]).toEqual(['STORAGE_FULL', 200])
      expect(await handshake()).toEqual([503, '10', 'STORAGE_FULL'])
      expect(await look('/health')).toEqual({ status: 200, problems: problem(expect.stringMatching(/has 0 MiB left/)) })
      await eventually(async () => {
        await write(text)
        expect(await look('/ready')).toEqual({ status: 503, problems: problem('writes are refused: the disk is full') })
      })
      expect(await metric('specboard_disk_free_bytes')).toBeLessThan(1 << 20)
      expect((await doctor()).get('free space')).toMatch(/^0 MiB; make room/)
      const { errors } = await runCommandIn(
        { variables },
        'backup',
        '--data-dir',
        folder,
        '-o',
        join(disk, 'saved.zip'),
      )
      expect(errors).toMatch(/^specboard: The disk of .* is full\. Nothing was saved; make room there/)
    } finally {
      rmSync(join(disk, 'filler'))
    }
    await eventually(async () => expect((await write()).status).toBe(201))
    const ended = await stop()
    expect(logged(ended, 'problem')).toEqual(
      problem(expect.objectContaining({ problem: expect.stringMatching(/MiB/) })),
    )
    expect(ended.errors).toMatch(/"level":50,.*"status":503/)
  })

  test('the database is removed', async () => {
    await serve()
    await write()
    rmSync(join(folder, 'specboard.db'))
    const { error } = await eventually(async () => {
      const answer = await write()
      expect(answer.status).toBe(503)
      return answer
    })
    expect(error).toBe('STORAGE_LOST')
    const says = 'the storage was lost: specboard.db was removed while the service was running'
    expect(await look('/health')).toEqual({ status: 503, problems: problem(says) })
    expect(await look('/ready')).toEqual({ status: 503, problems: problem(says) })
    expect(await metric('specboard_problems')).toBeGreaterThan(0)
    const ended = await server!.ended
    expect([ended.code, ended.errors]).toEqual([1, expect.stringMatching(/^specboard: specboard\.db was removed/m)])
    expect(logged(ended, 'storage')).toEqual([expect.objectContaining({ level: 50, problem: says })])
    expect((await doctor()).get('database')).toMatch(/There is no specboard\.db in .*, but specboard\.db\.rescued/)
  })

  test('the log ended early', async () => {
    await serve()
    for (let count = 0; count < 40; count++) await write()
    await stop('SIGKILL')
    const log = join(folder, 'specboard.db-wal')
    const bytes = readFileSync(log)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(log, bytes)
    await serve()
    const says = expect.stringMatching(/^the log ended early: writes since .* may be missing; newest backup: none/)
    expect([(await write()).status, await read()]).toEqual([201, 200])
    expect(await look('/health')).toEqual({ status: 200, problems: [says] })
    expect(await look('/ready')).toEqual({ status: 200, problems: [says] })
    expect(await metric('specboard_problems')).toBe(1)
    expect((await doctor()).get('log')).toMatch(
      /the log ended early: .*; the log is kept in specboard\.db-wal\.damaged-/,
    )
    expect(logged(await stop(), 'storage')).toEqual([expect.objectContaining({ problem: says })])
  })

  test('a page of the database is damaged', async () => {
    await serve()
    await write()
    await stop()
    const database = join(folder, 'specboard.db')
    writeFileSync(database, readFileSync(database).fill(0xa5, 20 * 4_096, 60 * 4_096))
    await expect(serve()).rejects.toThrow(/is damaged: .* Restore a backup \(newest: none\)/)
    const found = await doctor()
    expect([...found.values()].filter(says => /damaged|malformed/.test(says))).toHaveLength(1)
    expect([...found.values()].join()).toMatch(/restore a backup \(newest: none\)/)
    const { errors } = await runCommandIn({ variables }, 'backup', '--data-dir', folder, '-o', join(root, 'saved.zip'))
    expect(errors).toMatch(/The database is damaged: .* restore a backup \(newest: none\)/)
  })

  test('a backup fails', async () => {
    writeFileSync(join(root, 'no-folder'), '')
    await serve({ SPECBOARD_BACKUP_DIR: join(root, 'no-folder', 'backups') })
    const says = expect.stringMatching(/^the backup of .* failed: see the log, or "specboard doctor"$/)
    await eventually(async () => expect(await look('/health')).toEqual({ status: 200, problems: [says] }))
    expect((await write()).status).toBe(201)
    expect(await look('/ready')).toMatchObject({ status: 200 })
    expect(await metric('specboard_backup_last_failure_timestamp_seconds')).toBeGreaterThan(0)
    expect((await doctor()).get('backup')).toMatch(/^SPECBOARD_BACKUP_DIR .* cannot be written to/)
    const ended = await stop()
    expect(ended.errors).toMatch(/"level":50,.*The backup failed: /)
    expect(logged(ended, 'problem')).toEqual([expect.objectContaining({ problem: says })])
  })

  test('the newest backup is gone', async () => {
    const backups = join(root, 'backups')
    await serve({ SPECBOARD_BACKUP_DIR: backups })
    const backupFiles = () => (existsSync(backups) ? readdirSync(backups).filter(name => name.endsWith('.zip')) : [])
    await eventually(async () => {
      expect(backupFiles()).toHaveLength(1)
      expect(await metric('specboard_backup_last_success_timestamp_seconds')).toBeGreaterThan(0)
    })
    rmSync(join(backups, backupFiles()[0]!))
    const says = expect.stringMatching(/^the file of the backup of .* is gone: create another$/)
    await eventually(async () => expect(await look('/health')).toEqual({ status: 200, problems: [says] }))
    expect(await look('/ready')).toMatchObject({ status: 200 })
    expect(await metric('specboard_problems')).toBe(1)
    expect((await doctor()).get('backup')).toMatch(/is gone: .*; "specboard backup" makes another/)
    expect(logged(await stop(), 'problem')).toEqual([expect.objectContaining({ problem: says })])
  })

  test('good backups are too old', async () => {
    await serve()
    await stop()
    writeFileSync(join(root, 'no-folder'), '')
    cpSync(join(folder, 'specboard.db'), join(root, 'old.zip'))
    const at = '2026-01-02T03:04:05.678Z'
    writeFileSync(
      join(folder, 'last-backup.json'),
      JSON.stringify({ last_at: at, outcome: 'ok', file: join(root, 'old.zip') }),
      { mode: 0o600 },
    )
    await serve({ SPECBOARD_BACKUP_DIR: join(root, 'no-folder', 'backups') })
    const says = `the newest good backup is from ${at}`
    await eventually(async () => expect(await look('/health')).toEqual({ status: 200, problems: problem(says) }))
    expect(await look('/ready')).toMatchObject({ status: 200 })
    expect(await metric('specboard_backup_last_success_timestamp_seconds')).toBe(Date.parse(at) / 1_000)
    expect((await doctor()).has('backup')).toBe(true)
    expect(logged(await stop(), 'problem')).toEqual(problem(expect.objectContaining({ problem: says })))
  })
})

describe('faults around the service', { timeout }, () => {
  test('the receiver of a webhook fails', async () => {
    const sink = await HttpSink.start()
    try {
      sink.answer = () => ({ status: 500 })
      await serve({ SPECBOARD_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
      const { body: board } = await write()
      const url = `${sink.url}/hook/secret-path`
      const webhook = await call('POST', `/boards/${board.id}/webhooks`, { url })
      expect(webhook.status).toBe(201)
      await call('POST', `/boards/${board.id}/ideations`, { title: 'Idea' })
      await eventually(async () =>
        expect(await look('/health')).toEqual({ status: 200, problems: ['1 webhook is failing'] }),
      )
      expect(await look('/ready')).toMatchObject({ status: 200 })
      expect(await metric('specboard_webhooks_failing')).toBe(1)
      const { host } = new URL(url)
      const says = (await doctor()).get('webhook')
      expect(says).toMatch(`of the board ${board.id}, to ${host}, failing since`)
      expect(says).toMatch('(answered 500)')
      const ended = await stop()
      expect(logged(ended, 'webhook failing')).toEqual([
        expect.objectContaining({ level: 40, webhookId: webhook.body.id, boardId: board.id, host, status: 500 }),
      ])
      expect(ended.errors).not.toContain('secret-path')
    } finally {
      await sink.stop()
    }
  })

  test.skipIf(process.platform !== 'linux')('file handles are exhausted', async () => {
    await serve()
    const { pid } = server!
    const used = readdirSync(`/proc/${pid}/fd`).length
    // Enough that the callers use up the handles, and those that the service itself opens meanwhile do not matter.
    const max = used + 400
    expect(spawnSync('prlimit', ['--pid', String(pid), `--nofile=${max}:${max}`]).status).toBe(0)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    /** Uses a connection that is kept open: new ones are not accepted once there is no handle left. */
    const get = (path: string) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        getOver(`${server!.url}${path}`, { agent, headers: authorization() }, response => {
          let text = ''
          response.on('data', part => {
            text += part
          })
          response.on('end', () => resolve({ status: response.statusCode!, text }))
        }).on('error', reject)
      })
    await get('/health')
    const { hostname, port } = new URL(server!.url)
    const callers: Socket[] = []
    const call = (count: number) => {
      for (let index = 0; index < count; index++) callers.push(connect(Number(port), hostname).on('error', () => {}))
    }
    const newcomerRefused = () =>
      new Promise<void>((resolve, reject) => {
        call(5)
        const options = { agent: false, signal: AbortSignal.timeout(2_000) }
        getOver(`${server!.url}/health`, options, () => reject(new Error('A newcomer was answered.'))).on('error', () =>
          resolve(),
        )
      })
    const says = expect.stringMatching(/^\d+ of \d+ file handles are open: let the process have more$/)
    const problemsKept = async () => {
      const { status, text } = await get('/health')
      return [status, JSON.parse(text).problems]
    }
    try {
      // A few are left.
      call(Math.ceil(0.93 * max) - used)
      await eventually(async () => expect(await problemsKept()).toEqual([200, [says]]))
      expect((await get('/ready')).status).toBe(200)
      const { text } = await get('/metrics')
      const [, open] = /^specboard_open_files (\d+)$/m.exec(text)!
      const [, limit] = /^process_max_fds (\d+)$/m.exec(text)!
      expect([Number(open) / max > 0.9, Number(limit)]).toEqual([true, expect.any(Number)])
      // None is left.
      call(80)
      await eventually(async () =>
        expect(await problemsKept()).toEqual([
          200,
          [`${max} of ${max} file handles are open: let the process have more`],
        ]),
      )
      // A handle that the service itself releases may still be taken by a caller.
      await eventually(newcomerRefused)
      // A feature that nobody has called cannot be loaded now.
      const { status, text: refusal } = await get('/api/v1/presets')
      expect([status, JSON.parse(refusal).detail]).toMatchObject([503, { error: 'BUSY' }])
    } finally {
      for (const caller of callers) caller.destroy()
      agent.destroy()
    }
    await eventually(async () => expect(await look('/health')).toEqual({ status: 200, problems: [] }))
    expect((await fetch(`${server!.url}/api/v1/presets`, { headers: authorization() })).status).toBe(200)
    const ended = await stop()
    expect(logged(ended, 'problem')).toEqual([expect.objectContaining({ level: 40, problem: says })])
    expect(logged(ended, 'over')).toHaveLength(1)
  })
})

describe.skipIf(!canStartServer())('faults of PostgreSQL', { timeout }, () => {
  test('the database is gone', async () => {
    const database = await privateServer()
    await serve({ SPECBOARD_DATABASE_URL: await database.database() })
    expect((await write()).status).toBe(201)
    await database.stop()
    const { error } = await eventually(async () => {
      const answer = await write()
      expect(answer.status).toBe(503)
      return answer
    })
    expect([error, await read()]).toEqual(['BUSY', 503])
    await eventually(async () =>
      expect(await look('/health')).toEqual({ status: 503, problems: ['the database does not answer'] }),
    )
    await eventually(async () =>
      expect(await look('/ready')).toEqual({
        status: 503,
        problems: problem('writes are refused: the database cannot be reached'),
      }),
    )
    expect((await doctor()).get('PostgreSQL')).toMatch(/cannot be reached|ECONNREFUSED/)
    expect((await stop()).errors).toMatch(/"level":50/)
  })

  test('the connections of the server are exhausted', async () => {
    const database = await privateServer()
    const administered = await database.database()
    const url = new URL(administered)
    await onServer(administered, `create role node login; alter database ${url.pathname.slice(1)} owner to node`)
    const limit = (most: number) =>
      onServer(
        administered,
        `alter role node connection limit ${most}; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'node'`,
      )
    url.username = 'node'
    await serve({ SPECBOARD_DATABASE_URL: url.href })
    expect((await write()).status).toBe(201)
    await limit(0)
    await eventually(async () => expect(await write()).toMatchObject({ status: 503, error: 'BUSY' }))
    const refusal = 'writes are refused: the database cannot be reached'
    await eventually(async () => expect(await look('/ready')).toEqual({ status: 503, problems: problem(refusal) }))
    await eventually(async () =>
      expect(await look('/health')).toEqual({ status: 503, problems: problem('the database does not answer') }),
    )
    expect((await doctor()).get('PostgreSQL')).toMatch(/too many connections.*limit of the role/)
    await limit(-1)
    await eventually(async () => expect((await write()).status).toBe(201))
    // The free connections of a server are judged by how many a node opens.
    const limited = async (pool: string) => {
      variables = { ...variables, SPECBOARD_DATABASE_POOL: pool }
      return (await doctor()).get('connections')
    }
    expect([await limited('2'), await limited('100')]).toEqual([undefined, expect.stringContaining('opens up to 204')])
    expect((await stop()).errors).toContain('too many connections')
    await database.stop()
  })
})

test('the table of the docs has these rows', () => {
  const page = readFileSync(new URL('../../../docs/reliability.md', import.meta.url), 'utf8')
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  const rows = page.split('\n').flatMap(line => /^\| ([^|]+) \|.*\| `fault-table` \|$/.exec(line)?.[1] ?? [])
  const produced = [...source.matchAll(/^ {2}test(?:\.skipIf\([^\n]*?\))?\('([^']+)'/gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual(produced.toSorted())
})
