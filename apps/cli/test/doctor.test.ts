import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepFilesPrivate } from '@specboard/storage'
import { describeOnSqlite, testOnSqlite } from '@specboard/storage/on-sqlite'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let root: string
/** The folder of a stopped service, which every test breaks a copy of. */
let sound: string

beforeAll(async () => {
  keepFilesPrivate()
  root = mkdtempSync(join(tmpdir(), 'specboard-doctor-'))
  const world = await World.start(graphAtWork)
  const scene = await Scene.on(world)
  await scene.attachment()
  const ci = { issuer: 'https://ci.example' }
  await world.ok('create_repository', { board_id: scene.boardId, url: 'https://github.com/acme/shop', ci })
  await scene.consolidated()
  await world.running.stop()
  sound = world.folder
})

afterAll(() => {
  for (const folder of [root, sound]) rmSync(folder, { recursive: true, force: true })
})

interface Diagnosis {
  readonly code: number | null
  readonly ok: boolean
  readonly sum: string
  readonly findings: readonly { readonly name: string; readonly ok: boolean; readonly says: string }[]
}

async function doctor(folder: string, ...flags: readonly string[]): Promise<Diagnosis> {
  const { code, output } = await runCommand('doctor', '--data-dir', folder, '--port', '0', '--json', ...flags)
  return { code, ...JSON.parse(output) }
}

let copies = 0

/** A copy of the sound folder, broken. */
async function broken(damage: (folder: string) => unknown): Promise<string> {
  const folder = join(root, `folder-${++copies}`)
  cpSync(sound, folder, { recursive: true, preserveTimestamps: true })
  await damage(folder)
  return folder
}

const bad = ({ findings }: Diagnosis) => findings.filter(({ ok }) => !ok)

const database = (folder: string) => join(folder, 'specboard.db')

/** Changes the database by statements that no service runs. */
const change = (folder: string, sql: string) => {
  const connection = new SqliteDatabase(database(folder)).unsafeMode()
  connection.pragma('foreign_keys = off')
  connection.exec(sql)
  connection.close()
}

/** Leaves a record out of an index, as a fault of the disk may. */
function loseIndexEntry(folder: string): void {
  const connection = new SqliteDatabase(database(folder)).unsafeMode()
  const index = connection.prepare("select rowid, sql from sqlite_schema where name = 'cards_number'").get() as {
    rowid: number
    sql: string
  }
  // While the index is declared to contain only a few rows, nothing is written to it.
  connection.pragma('writable_schema = on')
  const leaveOut = connection.prepare('update sqlite_schema set sql = ? where rowid = ?')
  leaveOut.run(`${index.sql} where number < 0`, index.rowid)
  connection.pragma('writable_schema = reset')
  connection.exec('reindex cards_number')
  connection.pragma('writable_schema = on')
  leaveOut.run(index.sql, index.rowid)
  connection.close()
}

/** Writes zeros over the first page of the boards. */
function damagePage(folder: string): void {
  const connection = new SqliteDatabase(database(folder))
  const page = connection.prepare("select rootpage as page from sqlite_schema where name = 'boards'").get() as {
    page: number
  }
  connection.close()
  const bytes = readFileSync(database(folder))
  bytes.fill(0, (page.page - 1) * 4_096, page.page * 4_096)
  writeFileSync(database(folder), bytes)
}

/** Commits to the log of a folder, and returns the log and its index as a killed process leaves them. */
function logOf(folder: string): { readonly log: Buffer; readonly index: Buffer } {
  const connection = new SqliteDatabase(database(folder))
  connection.pragma('wal_autocheckpoint = 0')
  for (let number = 0; number < 20; number++) connection.exec(`update boards set description = 'text ${number}'`)
  const [log, index] = [readFileSync(`${database(folder)}-wal`), readFileSync(`${database(folder)}-shm`)]
  connection.close()
  return { log, index }
}

/** Leaves a log that is shorter than its index says. */
function truncateLog(folder: string): void {
  const { log, index } = logOf(folder)
  writeFileSync(`${database(folder)}-wal`, log.subarray(0, Math.floor(log.length / 2)))
  writeFileSync(`${database(folder)}-shm`, index)
}

/** Leaves a log that ends in the middle of what was committed, as a copy of a running folder may. */
function cutLog(folder: string): void {
  const { log } = logOf(folder)
  // One wrong byte in the middle: what follows was committed, and will not be recovered.
  log[Math.floor(log.length / 2)]! ^= 0xff
  writeFileSync(`${database(folder)}-wal`, log)
}

testOnSqlite('a sound folder has nothing to mend', async () => {
  const diagnosis = await doctor(await broken(() => {}))
  expect(bad(diagnosis)).toEqual([])
  expect(diagnosis).toMatchObject({ code: 0, ok: true })
})

describeOnSqlite('each broken folder is named with what to do', () => {
  test.each<[string, string, RegExp, (folder: string) => unknown]>([
    ['wrong mode', 'rights', /specboard\.db; "specboard doctor --fix"/, folder => chmodSync(database(folder), 0o644)],
    [
      'missing file',
      'attachment files',
      /1 missing, for attachments [-0-9a-f]+; copy them back/,
      folder => rmSync(join(folder, 'attachments'), { recursive: true }),
    ],
    [
      'foreign file',
      'foreign files',
      /^notes\.txt; .*move them/,
      folder => writeFileSync(join(folder, 'notes.txt'), ''),
    ],
    [
      'dropped trigger',
      'indexes and triggers',
      /^the trigger cards_counted of cards is missing; "specboard doctor --fix" recreates them/,
      folder => change(folder, 'drop trigger cards_counted'),
    ],
    [
      'index of another form',
      'indexes and triggers',
      /^the index cards_number of cards is different; "specboard doctor --fix"/,
      folder =>
        change(folder, 'drop index cards_number; create unique index cards_number on cards (board_id, number, id)'),
    ],
    [
      'index that lacks a record',
      'indexes',
      /^cards_number does not agree with the records; "specboard doctor --fix" rebuilds them/,
      loseIndexEntry,
    ],
    [
      'record that holds no JSON',
      'records',
      /^1 invalid for their kind: card [-0-9a-f]{36} of the board [-0-9a-f]{36} \(status, labels\)\. Restore/,
      folder =>
        change(folder, "update cards set labels = '[', status = 'lost' where id = (select id from cards limit 1)"),
    ],
    [
      'record that names what is gone',
      'references',
      /^1 broken: attachments [-0-9a-f]{36} of the board [-0-9a-f]{36}, whose card_id is not in cards; restore/,
      folder => change(folder, "update attachments set card_id = 'gone'"),
    ],
    [
      'derived rows that name what is gone',
      'references',
      /^\d+ broken: .*kg_edges .* is not in kg_nodes.*; "specboard doctor --fix" recreates them/,
      folder => change(folder, 'delete from kg_nodes'),
    ],
    [
      'wrong secret',
      'secret.key',
      /^another key wrapped \d+ of the stored secrets; restore the right one from a backup/,
      folder => {
        const other = Buffer.alloc(64, 7).toString('base64url')
        change(folder, `insert into secrets (name, value) values ('signing', 'v1.${other}')`)
      },
    ],
    [
      'nobody who may sign in',
      'sign in',
      /key reset-owner/,
      folder => change(folder, "update agents set key_expires_at = '2020-01-01T00:00:00.000Z'"),
    ],
    [
      'damaged page',
      'database',
      /specboard\.db in the data folder is damaged \(.*\); restore a backup \(newest: /,
      damagePage,
    ],
    ['damaged log', 'log', /may be missing.*kept in/, cutLog],
    ['truncated log', 'log', /may be missing.*kept in/, truncateLog],
    [
      'stale graph',
      'graph',
      /stale for \d+ of \d+ records; "specboard doctor --fix"/,
      folder => change(folder, 'delete from kg_nodes'),
    ],
    [
      'gap in a sequence',
      'event sequences',
      /some are gone; restore the newest good backup/,
      folder => change(folder, 'delete from events where seq = 2'),
    ],
    [
      'ids of another form',
      'ids',
      /^2 are not lower-case UUIDs: board "\.\.\/\.\.\/\.ssh"; card "ATT-2" of the board "[-0-9a-f]{36}"\. .*keep_ids=false/,
      folder =>
        change(
          folder,
          `insert into boards (id, key, name, description, owner_id, settings, seq, last_number, created_at, updated_at)
            select '../../.ssh', 'SSH', 'B', '', owner_id, '{}', 0, 0, created_at, updated_at from boards limit 1;
          update cards set id = 'ATT-2' where id = (select id from cards limit 1)`,
        ),
    ],
    [
      'newer version',
      'database',
      /newer specboard .*Run that version, or restore/,
      folder => change(folder, "insert into kysely_migration values ('9999_later', '2030-01-01T00:00:00.000Z')"),
    ],
    ['lost secret', 'secret.key', /missing; the next start creates one/, folder => rmSync(join(folder, 'secret.key'))],
    [
      'altered attachment',
      'attachment hashes',
      /1 altered: [-0-9a-f]+; copy them back/,
      folder => {
        const [board] = readdirSync(join(folder, 'attachments')).filter(name => name !== 'incoming')
        const files = join(folder, 'attachments', board!)
        writeFileSync(join(files, readdirSync(files)[0]!), 'other')
      },
    ],
    [
      'a clock behind the records',
      'clock',
      /set the clock/,
      folder => change(folder, "update boards set updated_at = '2999-01-01T00:00:00.000Z'"),
    ],
    [
      'false count',
      'list counts',
      /"specboard doctor --fix" recounts them/,
      folder => change(folder, 'update list_counts set count = count + 1'),
    ],
    [
      'failed backup',
      'backup',
      /failed at .*: no room; there is none; "specboard backup" tries again/,
      folder =>
        writeFileSync(
          join(folder, 'last-backup.json'),
          JSON.stringify({ last_at: '2030-01-02T03:04:05.678Z', outcome: 'no room', file: null }),
          { mode: 0o600 },
        ),
    ],
    [
      'backup that is gone',
      'backup',
      /the file of the newest, from 2030-01-02T03:04:05.678Z, is gone: \/nowhere\/it.zip; "specboard backup" makes another/,
      folder =>
        writeFileSync(
          join(folder, 'last-backup.json'),
          JSON.stringify({ last_at: '2030-01-02T03:04:05.678Z', outcome: 'ok', file: '/nowhere/it.zip' }),
          { mode: 0o600 },
        ),
    ],
  ])('%s', async (_, name, says, damage) => {
    const diagnosis = await doctor(await broken(damage))
    expect(diagnosis.code).toBe(1)
    expect(bad(diagnosis)).toContainEqual({ name, ok: false, says: expect.stringMatching(says) })
  })

  const disk = mkdtempSync(join(tmpdir(), 'specboard-doctor-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status === 0

  test.skipIf(!isMounted)('full disk', async () => {
    const folder = join(disk, 'data')
    cpSync(sound, folder, { recursive: true })
    const filler = join(disk, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(16 << 20))
    } catch {
      truncateSync(filler, statSync(filler).size)
    }
    const diagnosis = await doctor(folder)
    expect(bad(diagnosis)).toContainEqual({
      name: 'free space',
      ok: false,
      says: expect.stringMatching(/^0 MiB; make room/),
    })
  })

  afterAll(() => {
    // The process that ran the command may still have the files open.
    if (isMounted) spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })
})

testOnSqlite('indexes and triggers that are gone are made again, with what they keep', async () => {
  const folder = await broken(copy => {
    loseIndexEntry(copy)
    change(
      copy,
      `drop trigger cards_counted; drop trigger ideations_noted; drop index cards_board; delete from kg_nodes;
      delete from list_counts where kind = 'card'`,
    )
  })
  const wrong = await doctor(folder)
  expect(bad(wrong).map(({ name }) => name)).toEqual([
    'indexes',
    'references',
    'indexes and triggers',
    'list counts',
    'graph',
  ])
  expect(wrong.sum).toMatch(/^\d+ checks, 5 wrong; the worst is indexes\. "specboard doctor --fix" fixes 5 of them\.$/)
  expect((await doctor(folder, '--fix')).code).toBe(0)
  expect(bad(await doctor(folder))).toEqual([])
})

testOnSqlite('a unique index that records stand in the way of is named, with the records to correct', async () => {
  const folder = await broken(copy => change(copy, `drop index events_position; update events set position = 1`))
  const { findings } = await doctor(folder, '--fix')
  expect(findings).toContainEqual({
    name: 'indexes and triggers',
    ok: false,
    says: expect.stringMatching(/^events_position cannot be created \(UNIQUE constraint failed: events\.position\)/),
  })
})

testOnSqlite('the worst is told first, and a sum at the end', async () => {
  const folder = await broken(copy => {
    chmodSync(database(copy), 0o644)
    writeFileSync(join(copy, 'notes.txt'), '', { mode: 0o600 })
    change(copy, 'update list_counts set count = count + 1; delete from events where seq = 2')
  })
  const { output } = await runCommand('doctor', '--data-dir', folder, '--port', '0')
  const lines = output.trimEnd().split('\n')
  const names = lines.filter(line => line.startsWith('BAD')).map(line => /^BAD +([^:]+)/.exec(line)![1])
  expect(names).toEqual(['event sequences', 'rights', 'list counts', 'foreign files'])
  expect(lines[1]).toMatch(/^BAD /)
  expect(lines.at(-1)).toMatch(/^\d+ checks, 4 wrong; the worst is event sequences\. .* fixes 2 of them\.$/)
})

testOnSqlite('a data folder that somebody named and is missing is told', async () => {
  const folder = join(root, 'unmounted')
  expect(bad(await doctor(folder))).toEqual([
    {
      name: 'data folder',
      ok: false,
      says: expect.stringMatching(/unmounted does not exist: correct SPECBOARD_DATA_DIR/),
    },
  ])
  const file = join(root, 'a-file')
  writeFileSync(file, '')
  expect(bad(await doctor(join(file, 'data')))[0]).toEqual({
    name: 'data folder',
    ok: false,
    says: expect.stringMatching(/cannot be created \(it is not a folder\)/),
  })
})

testOnSqlite('a backup folder that cannot be written to is told', async () => {
  const file = join(root, 'no-folder')
  writeFileSync(file, '')
  const diagnosis = await doctor(await broken(() => {}), '--backup-dir', join(file, 'backups'))
  expect(bad(diagnosis)).toEqual([
    { name: 'backup', ok: false, says: expect.stringMatching(/cannot be written to \(it is not a folder\)/) },
  ])
})

testOnSqlite('before the first backup it is told when that is due', async () => {
  const { findings } = await doctor(
    await broken(() => {}),
    '--backup-dir',
    join(root, 'backups'),
    '--backup-at',
    '02:30',
  )
  const { says } = findings.find(({ name }) => name === 'backup')!
  expect(says).toMatch(/^none yet; next \d{4}-\d\d-\d\dT/)
})

testOnSqlite('a named key file that is missing, or holds no key, is told', async () => {
  const folder = await broken(() => {})
  const file = join(root, 'key')
  const found = async () => bad(await doctor(folder, '--secret-key-file', file))
  expect(await found()).toEqual([{ name: file, ok: false, says: expect.stringContaining('no such file') }])
  writeFileSync(file, 'short')
  expect(await found()).toEqual([{ name: file, ok: false, says: expect.stringContaining('has no key') }])
  cpSync(join(folder, 'secret.key'), file)
  expect(await found()).toEqual([])
})

testOnSqlite('--fix mends what is derived, and leaves what is not', async () => {
  const folder = await broken(copy => {
    chmodSync(database(copy), 0o644)
    change(copy, 'update list_counts set count = count + 1; delete from kg_edges; delete from events where seq = 2')
    rmSync(join(copy, 'attachments'), { recursive: true })
  })
  expect((await doctor(folder, '--fix')).code).toBe(1)
  expect(bad(await doctor(folder)).map(({ name }) => name)).toEqual(['event sequences', 'attachment files'])
})

testOnSqlite('without --fix nothing is changed', async () => {
  const folder = await broken(copy => change(copy, 'delete from kg_nodes'))
  const before = readFileSync(database(folder))
  await doctor(folder)
  expect(readFileSync(database(folder)).equals(before)).toBe(true)
})

testOnSqlite('the settings are told with their sources', async () => {
  const { output } = await runCommand('doctor', '--data-dir', sound, '--port', '0')
  expect(output).toMatch(/SPECBOARD_PORT +0 \(flag\)/)
  expect(output).toMatch(/SPECBOARD_HOST +127\.0\.0\.1 \(default\)/)
  expect(output).toContain('port: a free one')
})

testOnSqlite(
  'service-wide settings are told as stored, pinned or default; stored ones out of range are named',
  async () => {
    const folder = await broken(copy =>
      change(
        copy,
        `insert into runtime_settings (key, value, updated_at) values
        ('kg_queue_max_attempts', 9, ''), ('kg_queue_min_interval_ms', 5000000, ''), ('page_cache_mb', 32, '')`,
      ),
    )
    const { output } = await runCommandIn(
      { variables: { SPECBOARD_PAGE_CACHE_MB: '16' } },
      'doctor',
      '--data-dir',
      folder,
    )
    expect(output).toMatch(/SPECBOARD_KG_QUEUE_MAX_ATTEMPTS +9 \(stored\)/)
    expect(output).toMatch(/SPECBOARD_PAGE_CACHE_MB +16 \(environment\)/)
    expect(output).toMatch(/SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS +100 \(default\)/)
    expect(output).toMatch(/BAD +stored settings: kg_queue_min_interval_ms: out of range/)
  },
)

testOnSqlite('a service that does not answer, and one that does, are told', async () => {
  const world = await World.start()
  try {
    const reach = async (variables: Readonly<Record<string, string>>) => {
      const { output } = await runCommandIn(
        { variables },
        'doctor',
        '--data-dir',
        join(root, 'nothing'),
        '--port',
        '0',
        '--json',
      )
      const { findings } = JSON.parse(output) as Diagnosis
      const found = findings.filter(({ name }) => name.startsWith('/')).map(({ name, ok }) => [name, ok])
      return found.toSorted()
    }
    const { url } = world.running
    expect(await reach({ SPECBOARD_URL: url, SPECBOARD_API_KEY: world.owner.key })).toEqual([
      ['/health', true],
      ['/mcp', true],
    ])
    expect(await reach({ SPECBOARD_URL: url, SPECBOARD_API_KEY: `dash_${'0'.repeat(48)}` })).toEqual([
      ['/health', true],
      ['/mcp', false],
    ])
    expect(await reach({ SPECBOARD_URL: 'http://127.0.0.1:1' })).toEqual([['/health', false]])
  } finally {
    await world.stop()
  }
})

test('names the issuers of CI tokens, where their keys come from and how old these are', async () => {
  const folder = await broken(() => {})
  const file = join(root, 'keys.json')
  writeFileSync(file, JSON.stringify({ 'https://ci.example': { keys: [] } }))
  const look = async (variables: Readonly<Record<string, string>>) => {
    const { output } = await runCommandIn({ variables }, 'doctor', '--data-dir', folder, '--port', '0', '--json')
    const { findings } = JSON.parse(output) as Diagnosis
    return findings.filter(({ name }) => name.startsWith('CI'))
  }
  const finding = {
    name: 'CI issuer',
    ok: true,
    says: 'https://ci.example: keys of its address, fetched when a token arrives',
  }
  expect(await look({})).toEqual([finding])
  const sealed = { SPECBOARD_OIDC_JWKS_FILE: file }
  expect(await look(sealed)).toEqual([{ ...finding, says: `https://ci.example: keys of ${file}, new` }])
  writeFileSync(file, 'half a file')
  expect(await look(sealed)).toEqual([
    { name: 'CI keys', ok: false, says: expect.stringContaining(`${file} cannot be read`) },
    finding,
  ])
})
