import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@specboard/client'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServerProcess } from './support/command.ts'
import { McpWire } from './support/mcp.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let mcp: McpWire
/** An agent with an empty preset. */
let none: TestAgent

beforeAll(async () => {
  world = await World.start()
  mcp = new McpWire(world)
  const preset = await world.ok('create_preset', { name: 'Nothing', description: '', flags: {} })
  none = await world.agent({ preset_id: preset.id })
})

afterAll(() => world.stop())

describe('a key without rights reaches no prototype (walls 2, rule 1)', () => {
  const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
  const membersOfPrototypes = () => prototypes.map(prototype => Reflect.ownKeys(prototype).length)
  const before = membersOfPrototypes()

  const stillThere = async () => {
    expect(membersOfPrototypes()).toEqual(before)
    await world.ok('list_boards')
  }

  test.each([
    ['get_my_permissions', { full: true, fields: 'flags.__proto__.zz' }, ['fields']],
    ['get_my_permissions', { fields: ['constructor.prototype.zz'] }, ['fields']],
    ['read_operation', { name: 'get_my_permissions', fields: 'flags.__proto__.zz' }, ['fields']],
    [
      'call_operation',
      { name: 'list_boards', arguments: JSON.parse('{"__proto__":{"zz":1}}') },
      ['arguments', '__proto__'],
    ],
    ['call_operation', { name: 'list_boards', arguments: '{"constructor":{"zz":1}}' }, ['arguments', 'constructor']],
    [
      'run_operations',
      { calls: [{ name: 'list_boards', arguments: JSON.parse('{"__proto__":{"zz":1}}') }] },
      ['calls', 0, 'arguments', '__proto__'],
    ],
    ['run_operations', { calls: [{ name: 'list_boards', fields: 'a.__proto__.zz' }] }, ['calls', 0, 'fields']],
    ['list_boards', { constructor: { prototype: { zz: 1 } } }, ['constructor']],
    ['update_preset', { preset_id: 'x', flags: JSON.parse('{"__proto__":true}') }, ['flags', '__proto__']],
  ])('%s of %j', async (name, args, loc) => {
    const { isError, value } = await mcp.tool(name, args, { as: none })
    expect([isError, value]).toMatchObject([true, { status: 422, detail: [{ loc, type: 'value_error' }] }])
    await stillThere()
  })

  test('an argument __proto__, which the library would drop, is a malformed call', async () => {
    const { status, body } = await mcp.legacy(
      'tools/call',
      { name: 'list_boards', arguments: JSON.parse('{"__proto__":{"zz":1}}') },
      { as: none },
    )
    expect([status, body.error]).toMatchObject([400, { code: -32602, message: expect.stringContaining('__proto__') }])
    await stillThere()
  })
})

describe('no object has __proto__ (walls 2, rule 2)', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))

  test('where a file begins a thread or process, before all else', () => {
    const sources = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).map(path => join(root, path))
    const entries = sources.flatMap(path =>
      Array.from(readFileSync(path, 'utf8').matchAll(/siblingFile\(import\.meta\.url, '([\w-]+)'\)/g), ([, name]) =>
        join(dirname(path), `${name}.ts`),
      ),
    )
    // A file that a reading thread imports later starts no thread.
    const files = [...new Set(entries)].filter(path => !path.endsWith('/reduce-answer.ts'))
    expect(files.length).toBeGreaterThan(5)
    for (const path of files)
      expect(/^import .*$/m.exec(readFileSync(path, 'utf8'))?.[0], path).toMatch(
        /^import '(?:\.|@specboard\/storage)\/prototypes(?:\.ts)?'$/,
      )
  })

  testOnSqlite('in the process of a clone, and in the threads that it starts', { timeout: 60_000 }, async () => {
    const [folder, reportFolder] = ['data', 'told'].map(name =>
      mkdtempSync(join(tmpdir(), `specboard-prototypes-${name}-`)),
    )
    try {
      const probe = new URL('./support/prototype-probe.ts', import.meta.url).href
      const variables = { PROTOTYPE_PROBE: reportFolder!, NODE_OPTIONS: `--import=${probe}` }
      const server = await ServerProcess.start(folder!, 'silent', variables, true)
      const client = createClient({ url: server.url, key: server.key! })
      const issue = (at: number) => JSON.stringify({ id: `bd-${at}`, title: `Title of ${at}`, status: 'open' })
      const lines = Array.from({ length: 2_000 }, (_, at) => issue(at)).join('\n')
      const { board_id } = await client.importBoard({ file: new File([lines], 'issues.jsonl') })
      await client.exportBoard({ board_id: board_id! })
      await server.end()
      const all = readdirSync(reportFolder!).map(name => JSON.parse(readFileSync(join(reportFolder!, name), 'utf8')))
      // The pages are built by a process that ends before anybody calls.
      const running = all.filter(({ runs }) => runs !== 'build.ts')
      expect(running.map(({ runs }) => runs)).toEqual(
        expect.arrayContaining(['main.js', 'import-reader-thread.ts', 'spool-thread.ts']),
      )
      expect(running.filter(({ hasProto }) => hasProto)).toEqual([])
    } finally {
      for (const path of [folder!, reportFolder!]) rmSync(path, { recursive: true, force: true })
    }
  })
})
