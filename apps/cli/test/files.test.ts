import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { writeWithoutLock } from '@specboard/domain'
import { putEmptyDatabase } from '@specboard/domain/testing'
import { describeOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand, ServerProcess } from './support/command.ts'

let root: string
let folder: string
let server: ServerProcess | undefined
let key: string

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'specboard-files-'))
  folder = join(root, 'data')
  mkdirSync(folder, { mode: 0o700 })
  await putEmptyDatabase(folder)
})

afterEach(async () => {
  await server?.end('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const file = (name = 'specboard.db') => join(folder, name)
const rights = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Serves the folder; the key of the first start stays. */
async function serve(logLevel?: string): Promise<Client> {
  server = await ServerProcess.start(folder, logLevel)
  key = server.key ?? key
  return createClient({ url: server.url, key })
}

async function stop(signal?: NodeJS.Signals): Promise<void> {
  await server?.end(signal)
  server = undefined
}

async function health(): Promise<{ status: number; body: { status: string; problems?: string[] } }> {
  const response = await fetch(`${server!.url}/health`)
  return { status: response.status, body: (await response.json()) as { status: string; problems?: string[] } }
}

/** Creates boards one after the other; returns their names. */
async function boards(client: Client, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `Board ${index}`)
  for (const name of names) await client.createBoard({ name, description: '' })
  return names
}

/** Attaches a file to a new card; returns the id of the attachment. */
async function attach(client: Client): Promise<string> {
  const { id: board_id } = await client.createBoard({ name: 'Board', description: '' })
  const { id: spec_id } = await client.createSpec({ board_id, title: 'Spec', status: 'approved' })
  const { id: card_id } = await client.createCard({ board_id, spec_id, title: 'Card' })
  const form = new FormData()
  form.set('file', new File(['bytes'], 'a.txt'))
  const response = await fetch(`${server!.url}/api/v1/attachments/${board_id}/${card_id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  return ((await response.json()) as { id: string }).id
}

const boardNames = async (client: Client) => (await client.listBoards({})).items.map(({ name }) => name).toSorted()

describeOnSqlite('rights (trust 5)', () => {
  test('whatever the service makes belongs to its user alone', async () => {
    rmSync(folder, { recursive: true })
    await attach(await serve())
    expect((await runCommand('key', 'create', '--name', 'Other', '--data-dir', folder)).code).toBe(0)
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    expect(entries.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['specboard.db', 'specboard.db-wal', 'specboard.db-shm', 'lock.db', 'secret.key']),
    )
    for (const entry of entries)
      expect([entry.name, rights(join(entry.parentPath, entry.name))]).toEqual([
        entry.name,
        entry.isDirectory() ? '700' : '600',
      ])
    expect(rights(folder)).toBe('700')
    expect((await runCommand('doctor', '--data-dir', folder)).output).toMatch(/ok +rights: this user only/)
  })

  test('an older folder that others may read is used, told about, and narrowed by doctor --fix', async () => {
    await serve()
    await stop()
    chmodSync(folder, 0o755)
    chmodSync(file(), 0o644)
    mkdirSync(file('attachments/board'), { recursive: true, mode: 0o755 })
    await serve('warn')
    const { errors } = await server!.end()
    server = undefined
    expect(errors).toMatch(/^specboard: other users may read the data folder .*doctor --fix.*$/m)
    expect(errors).toMatch(/^\{"level":40,.*"paths":\["\.",.*"specboard\.db".*\],.*\}$/m)
    const diagnosis = await runCommand('doctor', '--data-dir', folder)
    expect([diagnosis.code, diagnosis.output]).toEqual([
      1,
      expect.stringMatching(/BAD +rights: open to others: .*specboard\.db/),
    ])
    const fixed = await runCommand('doctor', '--fix', '--data-dir', folder)
    expect([fixed.code, fixed.output]).toEqual([0, expect.stringMatching(/ok +rights: fixed: \., .*specboard\.db/)])
    expect([rights(folder), rights(file()), rights(file('attachments/board'))]).toEqual(['700', '600', '700'])
    const again = await runCommand('doctor', '--fix', '--data-dir', folder)
    expect(again.output).toMatch(/ok +rights: nothing to fix/)
  })
})

describeOnSqlite('a database that is lost under a running service (trust 5)', () => {
  /** Writes until a write is refused; returns the refusal, and the names of the boards that were acknowledged. */
  async function untilRefused(client: Client): Promise<{ names: string[]; refusal: unknown }> {
    const names: string[] = []
    for (let count = 0; ; count++) {
      const name = `After ${count}`
      try {
        await client.createBoard({ name, description: '' })
        names.push(name)
      } catch (refusal) {
        return { names, refusal }
      }
    }
  }

  test.each([
    ['removed', 'specboard.db was removed', () => rmSync(file())],
    [
      'replaced',
      'specboard.db was replaced by another file',
      () => {
        writeFileSync(join(root, 'other'), 'other')
        renameSync(join(root, 'other'), file())
      },
    ],
    ['shortened', 'specboard.db was shortened', () => truncateSync(file(), 4_096)],
    ['without its log', 'specboard.db-wal was removed', () => rmSync(file('specboard.db-wal'))],
  ])('%s: writes are refused, and what was acknowledged is saved', async (_, cause, lose) => {
    const client = await serve()
    const before = await boards(client, 5)
    lose()
    const { names, refusal } = await untilRefused(client)
    expect(refusal).toMatchObject({ status: 503, code: 'STORAGE_LOST' })
    expect(await health()).toMatchObject({
      status: 503,
      body: { status: 'unhealthy', problems: [`the storage was lost: ${cause} while the service was running`] },
    })
    const copy = file('specboard.db.rescued')
    // A lost service goes on answering for seconds before it ends; the test of the lost folder waits for that.
    const { code, errors } = await server!.end()
    expect([code, errors]).toEqual([
      1,
      `specboard: ${cause} while the service was running. What was still open was saved to ${copy}; rename it to specboard.db to continue with it.\n`,
    ])
    expect(rights(copy)).toBe('600')
    rmSync(file(), { force: true })
    await expect(serve()).rejects.toThrow(/^specboard: There is no specboard\.db in .*, but specboard\.db\.rescued/)
    renameSync(copy, file())
    expect(await boardNames(await serve())).toEqual([...before, ...names].toSorted())
    expect(await health()).toMatchObject({ status: 200, body: { status: 'healthy' } })
  })

  test('with its folder: the copy lies in the folder for temporary files', async () => {
    const client = await serve()
    const before = await boards(client, 2)
    rmSync(folder, { recursive: true, maxRetries: 10 })
    const { names } = await untilRefused(client)
    const { code, errors } = await server!.ended
    const copy = /was saved to (.*); rename/.exec(errors)?.[1] ?? ''
    expect([code, copy.startsWith(join(tmpdir(), 'specboard.db.rescued'))]).toEqual([1, true])
    mkdirSync(folder)
    renameSync(copy, file())
    expect(await boardNames(await serve())).toEqual([...before, ...names].toSorted())
  })
})

describeOnSqlite('a start looks at what is there (trust 5)', () => {
  test('after kill -9 nothing is lost, and nothing is told', async () => {
    const names = await boards(await serve(), 30)
    await stop('SIGKILL')
    expect((await runCommand('doctor', '--data-dir', folder)).output).toMatch(/ok +log: whole/)
    expect(await boardNames(await serve())).toEqual(names.toSorted())
    expect(await health()).toMatchObject({ status: 200, body: { status: 'healthy' } })
  })

  test.each(['doctor first', 'start at once'])(
    'a log that is damaged in the middle is told as a loss: %s',
    async how => {
      await boards(await serve(), 60)
      await stop('SIGKILL')
      const log = readFileSync(file('specboard.db-wal'))
      log[log.length >> 1]! ^= 1
      writeFileSync(file('specboard.db-wal'), log)
      const loss = /the log ended early: writes since \d{4}-\d\d-\d\dT[\d:.]+Z may be missing; newest backup: none/
      if (how === 'doctor first') {
        const { code, output } = await runCommand('doctor', '--data-dir', folder)
        expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`BAD +log: ${loss.source}`))])
      }
      expect(await boardNames(await serve('error'))).not.toContain('Board 59')
      expect(await health()).toMatchObject({
        status: 200,
        body: { status: 'degraded', problems: [expect.stringMatching(loss)] },
      })
      const client = createClient({ url: server!.url, key })
      expect((await client.getServiceStatus({})).degraded).toEqual([expect.stringMatching(loss)])
      const beside = await runCommand('doctor', '--data-dir', folder)
      expect(beside.output).toMatch(/BAD +log: .*the log is kept in specboard\.db-wal\.damaged-/)
      expect((await server!.end()).errors).toMatch(loss)
      const damagedLogs = readdirSync(folder).filter(name => name.includes('damaged'))
      expect(damagedLogs).toHaveLength(1)
      expect(readFileSync(file(damagedLogs[0]!)).equals(log)).toBe(true)
      rmSync(file(damagedLogs[0]!))
      await serve()
      expect(await health()).toMatchObject({ status: 200, body: { status: 'healthy' } })
    },
  )

  test('a damaged database is refused with what to do', async () => {
    await boards(await serve(), 3)
    await stop()
    const bytes = readFileSync(file())
    writeFileSync(file(), bytes.fill(0xa5, 20 * 4_096, 60 * 4_096))
    await expect(serve()).rejects.toThrow(
      /^specboard: specboard\.db in .* is damaged: .* Restore a backup \(newest: none\)\.\n$/,
    )
  })

  test.each(['attachments', 'secret.key'])(
    'a folder with %s and without a database is no first start',
    async remnant => {
      rmSync(file())
      mkdirSync(file('attachments/board'), { recursive: true, mode: 0o700 })
      if (remnant === 'attachments') writeFileSync(file('attachments/board/a.txt'), 'bytes')
      else writeFileSync(file('secret.key'), 'key')
      const refusal = new RegExp(`There is no specboard\\.db in .*, but ${remnant}: .*Restore it`)
      await expect(serve()).rejects.toThrow(refusal)
      expect(existsSync(file())).toBe(false)
      const { code, output } = await runCommand('doctor', '--data-dir', folder)
      expect([code, output]).toEqual([1, expect.stringMatching(refusal)])
    },
  )

  test('doctor finds counts of lists that are not true, and --fix counts anew once no server runs', async () => {
    const client = await serve()
    const { id } = await client.createBoard({ name: 'Counted', description: '' })
    await client.createIdeation({ board_id: id, title: 'One' })
    expect((await runCommand('doctor', '--data-dir', folder)).output).toMatch(/ok +list counts: agree with the records/)
    await writeWithoutLock(folder, db => db.updateTable('list_counts').set({ count: 5 }).execute())
    const served = await runCommand('doctor', '--fix', '--data-dir', folder)
    expect([served.code, served.output]).toEqual([1, expect.stringMatching(/BAD +list counts: 1 are wrong; stop/)])
    await stop()
    const fixed = await runCommand('doctor', '--fix', '--data-dir', folder)
    expect([fixed.code, fixed.output]).toEqual([0, expect.stringMatching(/ok +list counts: fixed: 1 recounted/)])
    expect((await runCommand('doctor', '--data-dir', folder)).output).toMatch(/ok +list counts: agree with the records/)
  })

  test('doctor finds what search has wrongly, and --fix builds its index anew once no server runs', async () => {
    const client = await serve()
    const { id } = await client.createBoard({ name: 'Searched', description: '' })
    const { id: found } = await client.createIdeation({ board_id: id, title: 'Findable' })
    await client.searchRecords({ q: 'findable' })
    expect((await runCommand('doctor', '--data-dir', folder)).output).toMatch(
      /ok +search index: agrees with the records/,
    )
    await writeWithoutLock(folder, db => db.updateTable('search_records').set({ digest: 'other' }).execute())
    const served = await runCommand('doctor', '--fix', '--data-dir', folder)
    expect([served.code, served.output]).toEqual([1, expect.stringMatching(/BAD +search index: 1 records .*; stop/)])
    await writeWithoutLock(folder, db => db.deleteFrom('search_records').execute())
    expect((await client.searchRecords({ q: 'findable' })).items).toEqual([])
    await stop()
    const fixed = await runCommand('doctor', '--fix', '--data-dir', folder)
    expect([fixed.code, fixed.output]).toEqual([0, expect.stringMatching(/ok +search index: fixed: rebuilt/)])
    const again = await serve()
    expect((await again.searchRecords({ q: 'findable' })).items.map(({ id }) => id)).toEqual([found])
  })

  test('doctor names the attachment whose file is missing', async () => {
    const id = await attach(await serve())
    const [stored] = readdirSync(file('attachments'), { recursive: true, withFileTypes: true }).filter(entry =>
      entry.isFile(),
    )
    expect((await runCommand('doctor', '--data-dir', folder)).output).toMatch(
      /ok +attachment files: each file has a row, each row a file/,
    )
    rmSync(join(stored!.parentPath, stored!.name))
    const { code, output } = await runCommand('doctor', '--data-dir', folder)
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(`BAD  attachment files: 1 missing, for attachments ${id}`),
    ])
  })
})

describeOnSqlite('secrets (trust 5)', () => {
  const rpc = (method: string, session?: string) =>
    fetch(`${server!.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        ...(method === 'initialize' && {
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        }),
      }),
    })

  test('a lost secret.key ends sessions, and nothing else', async () => {
    const names = await boards(await serve(), 1)
    const session = (await rpc('initialize')).headers.get('mcp-session-id')!
    await stop()
    await serve()
    expect((await rpc('ping', session)).status).toBe(200)
    await stop()
    rmSync(file('secret.key'))
    expect((await runCommand('doctor', '--data-dir', folder)).output).toMatch(/BAD +secret\.key: missing/)
    expect(await boardNames(await serve())).toEqual(names)
    expect((await rpc('ping', session)).status).toBe(404)
    const fresh = (await rpc('initialize')).headers.get('mcp-session-id')!
    expect((await rpc('ping', fresh)).status).toBe(200)
    expect(rights(file('secret.key'))).toBe('600')
  })
})
