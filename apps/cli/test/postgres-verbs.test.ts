/** What the verbs of the command line do with a service on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import {
  canStartServer,
  onServer,
  privateServer,
  type TestServer,
  testServer,
  whyNoServer,
} from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandIn, ServerProcess } from './support/command.ts'

const missing = whyNoServer()

describe.skipIf(missing !== undefined)(`verbs on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let root: string
  let dataDir: string
  let variables: Readonly<Record<string, string>>
  let node: ServerProcess
  let url: string

  const specboard = (...args: string[]) => runCommandIn({ variables, folder: root }, ...args, '--data-dir', dataDir)

  const findings = async (...flags: string[]) => {
    const { code, output } = await specboard('doctor', '--json', '--port', '0', ...flags)
    const {
      findings: found,
      settings,
      sum,
    } = JSON.parse(output) as {
      sum: string
      findings: { name: string; ok: boolean; says: string }[]
      settings: { name: string; value: string }[]
    }
    const bad = found.filter(({ ok }) => !ok).map(({ name }) => name)
    return { code, bad, settings, sum, says: new Map(found.map(({ name, says }) => [name, says])) }
  }

  beforeAll(async () => {
    // Doctor expects a server with the default durability, which the test server of a run on PostgreSQL lacks.
    server = canStartServer() ? await privateServer() : await testServer()
    root = mkdtempSync(join(tmpdir(), 'specboard-verbs-'))
    // Made by the first start.
    dataDir = join(root, 'data')
    url = await server.database()
    const address = new URL(url)
    address.password = 'hidden'
    variables = { SPECBOARD_DATABASE_URL: address.href }
    node = await ServerProcess.start(dataDir, 'debug', variables)
  })

  afterAll(async () => {
    await node?.end()
    await server?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  test('doctor asks that only roles which were granted it may connect (walls 6)', async () => {
    const { code, bad, says } = await findings()
    expect([code, bad]).toEqual([1, ['who may connect']])
    expect(says.get('who may connect')).toContain('revoke connect')
    await onServer(url, `revoke connect on database ${new URL(url).pathname.slice(1)} from public`)
  })

  test('keys are made, listed and taken away beside a node', async () => {
    const agent = JSON.parse((await specboard('key', 'create', '--name', 'Passing', '--json')).output)
    const statusOf = async () =>
      (await fetch(`${node.url}/api/v1/boards`, { headers: { authorization: `Bearer ${agent.api_key}` } })).status
    expect(await statusOf()).toBe(200)
    const { items } = JSON.parse((await specboard('key', 'list', '--json')).output)
    expect(items).toContainEqual(expect.objectContaining({ name: 'Passing', preset: 'Executor', is_active: true }))
    expect((await specboard('key', 'revoke', 'Passing')).code).toBe(0)
    expect(await statusOf()).toBe(401)
  })

  test('doctor finds everything in order, and shows the address without its password', async () => {
    const { code, bad, says, settings, sum } = await findings()
    expect([code, bad]).toEqual([0, []])
    expect(says.get('PostgreSQL')).toMatch(/^\d+.*, UTF8, (without TLS|TLS)/)
    expect(says.get('nodes')).toBe('1 serving this database')
    expect(says.get('node')).toMatch(/^127\.0\.0\.1:\d+, version \d.*, last heard from \d{4}-/)
    expect(says.get('indexes and triggers')).toBe('as this version creates them')
    expect(says.get('secret.key')).toBe('there')
    expect(sum).toMatch(/^\d+ checks, all in order\.$/)
    expect(says.get('announcements')).toBe('arrive')
    expect(says.get('schema')).toBe('up to date')
    expect(says.get('search index')).toMatch(/^agrees with the records/)
    // The owner, and the one whose key was taken away.
    expect(says.get('agents')).toBe('2')
    const address = settings.find(({ name }) => name === 'SPECBOARD_DATABASE_URL')!.value
    expect(address).toContain(':***@')
    expect(address).not.toContain('hidden')
  })

  test('doctor knows the node behind the port as one of this database, and asks it', async () => {
    const { says } = await findings('--port', new URL(node.url).port)
    expect(says.get('/health')).toBe(`${node.url} is healthy`)
    expect(says.get('port')).toBeUndefined()
  })

  test('doctor tells counts that are not true, and repairs them once no node serves the database', async () => {
    await onServer(
      url,
      "insert into boards (id, name, description, owner_id, settings, seq, created_at, updated_at, key) select 'b', 'B', '', id, '{}', 0, '', '', 'B' from agents limit 1",
    )
    await onServer(url, "insert into list_counts values ('b', 'card', '', 'done', 0, 3)")
    const served = await findings('--fix')
    expect(served.bad).toContain('list counts')
    expect(served.says.get('list counts')).toMatch(/stop the server/)
    expect(served.says.get('ids')).toMatch(/^1 are not lower-case UUIDs: board "b"\. .*keep_ids=false/)
    await onServer(url, "delete from boards where id = 'b'")
  })

  test('doctor names what was dropped from the schema, and makes it again', { timeout: 240_000 }, async () => {
    const own = await server.database()
    const at = { variables: { SPECBOARD_DATABASE_URL: own }, folder: root }
    const folder = join(root, 'own')
    const look = async (...flags: string[]) => {
      const { output } = await runCommandIn(at, 'doctor', '--json', '--port', '0', '--data-dir', folder, ...flags)
      return (JSON.parse(output) as { findings: { name: string; ok: boolean; says: string }[] }).findings
    }
    const wrong = async () => (await look()).filter(({ ok }) => !ok).map(({ name, says }) => [name, says])
    const single = await ServerProcess.start(folder, 'debug', at.variables)
    await onServer(own, `revoke connect on database ${new URL(own).pathname.slice(1)} from public`)
    await single.end()
    for (const statement of [
      'drop trigger cards_counted on cards',
      'drop index cards_board',
      'alter table specs disable trigger specs_noted',
      'create or replace function cards_uncounted() returns trigger language plpgsql as $$ begin return null; end $$',
    ])
      await onServer(own, statement)
    expect(await wrong()).toEqual([
      [
        'indexes and triggers',
        expect.stringMatching(
          /^the function cards_uncounted\(\) is different, the index cards_board of cards is missing, the trigger cards_counted of cards is missing, the trigger specs_noted of specs is different; "specboard doctor --fix"/,
        ),
      ],
    ])
    expect((await look('--fix')).filter(({ ok }) => !ok)).toEqual([])
    expect(await wrong()).toEqual([])
    await server.drop(own)
  })

  test('keys are made beside a node, which takes them at once', async () => {
    const { code, output } = await specboard('key', 'create', '--name', 'Worker')
    expect(code).toBe(0)
    const key = /^API key: (\S+)/.exec(output)![1]!
    const { agent_id } = await createClient({ url: node.url, key }).getMyPermissions()
    expect(agent_id).toBeTruthy()
    const link = await specboard('open', '--print', '--url', node.url)
    expect(link.output).toMatch(/^Board: http/)
  })

  test('the graphs are not rebuilt while a node serves the database', async () => {
    const { code, errors } = await specboard('kg', 'rebuild')
    expect([code, errors]).toEqual([1, expect.stringMatching(/1 node serves the PostgreSQL database/)])
  })

  test('mcp --embedded answers from the database, beside a node', async () => {
    const input = `${JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })}\n`
    const around = { variables: { ...variables, SPECBOARD_API_KEY: node.key! }, folder: root, input }
    const { code, output } = await runCommandIn(around, 'mcp', '--embedded', '--data-dir', dataDir)
    expect(code).toBe(0)
    expect(JSON.parse(output.split('\n')[0]!)).toMatchObject({ id: 1, result: { serverInfo: {} } })
  })

  test('a database of a newer version is refused, and nothing is changed', async () => {
    await onServer(url, "insert into kysely_migration (name, timestamp) values ('9999_newer', '2030')")
    try {
      for (const verb of [
        ['serve', '--port', '0'],
        ['key', 'create', '--name', 'X'],
      ]) {
        const { code, errors } = await specboard(...verb)
        expect([code, errors]).toEqual([
          1,
          expect.stringMatching(/written by a newer specboard \(9999_newer\).*a backup of PostgreSQL/),
        ])
      }
    } finally {
      await onServer(url, "delete from kysely_migration where name = '9999_newer'")
    }
  })

  test('nothing that a node logs holds the password', async () => {
    const { output, errors } = await node.end()
    expect(`${output}${errors}`).not.toContain('hidden')
    const { code, bad } = await findings('--fix')
    expect([code, bad]).toEqual([0, []])
  })
})
