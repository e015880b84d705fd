/** The plugin in the form of each client, generated from one description (harness 2). */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { builtinAllows, builtinPresets, type Permission, registry } from '@specboard/contract'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, describe, expect, test } from 'vitest'
import { SkillHead } from '../../../tools/distribution/formats.ts'
import { pluginFiles, pluginFolders, skillNames } from '../../../tools/plugin/forms.ts'
import { hookClients } from '../src/plugin/hook-table.ts'

const root = new URL('../../../', import.meta.url).pathname

let files: Awaited<ReturnType<typeof pluginFiles>>

beforeAll(async () => {
  files = await pluginFiles()
})

const bytes = (file: string | Uint8Array): Buffer => Buffer.from(file as string)

/** All files of a folder, by their path in the repository. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder)).flatMap(name => {
    const path = `${folder}/${name}`
    return statSync(join(root, path)).isDirectory() ? filesIn(path) : [path]
  })

test('what is in the repository is what is made of the description', () => {
  const stale = Object.entries(files).filter(([path, file]) => !readFileSync(join(root, path)).equals(bytes(file)))
  expect(stale.map(([path]) => path)).toEqual([])
  const there = pluginFolders.flatMap(folder => filesIn(`integrations/${folder}`)).sort()
  expect(there).toEqual(
    Object.keys(files)
      .filter(path => path.startsWith('integrations/'))
      .sort(),
  )
})

test('the programs are small, need nothing, and are the same in every form', () => {
  const max = { 'hook.mjs': 64 << 10, 'mcp.mjs': 128 << 10 }
  for (const [name, limit] of Object.entries(max)) {
    const copies = Object.entries(files)
      .filter(([path]) => path.endsWith(`/bin/${name}`))
      .map(([, file]) => String(file))
    expect(new Set(copies).size).toBe(1)
    expect(Buffer.byteLength(copies[0]!)).toBeLessThanOrEqual(limit)
    const imported = [...copies[0]!.matchAll(/\bfrom ?"([^"]+)"|\bimport\("([^"]+)"\)/g)].map(
      ([, one, other]) => one ?? other,
    )
    expect(imported.filter(each => !each!.startsWith('node:'))).toEqual([])
  }
})

test('every version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const versions = Object.entries(files)
    .filter(([path]) => path.endsWith('.json'))
    .flatMap(([, file]) => [...String(file).matchAll(/"version": "([^"]+)"/g)].map(([, each]) => each))
  expect(versions.length).toBeGreaterThanOrEqual(6)
  expect(new Set(versions)).toEqual(new Set([version]))
})

test('Codex finds no plugin.json beside its own: with one its hooks are ignored', () => {
  expect(Object.keys(files)).not.toContain('integrations/codex/plugin.json')
})

test('no form holds an address or a key', () => {
  const configs = Object.entries(files)
    .filter(([path]) => /mcp\.json$|extension\.json$/.test(path))
    .map(([, file]) => String(file))
  expect(configs.filter(text => /dash_|127\.0\.0\.1|Bearer/.test(text))).toEqual([])
})

describe('the hooks of each client', () => {
  const hooksOf = (client: string) => {
    const [, file] = Object.entries(files).find(
      ([path]) => path.startsWith(`integrations/${client}/`) && path.endsWith('hooks.json'),
    )!
    return JSON.parse(String(file)).hooks as Record<string, object[]>
  }

  test.each(hookClients)('%s: each tells an event and names the client', client => {
    const commands = JSON.stringify(Object.values(hooksOf(client)).flat())
    const events = [...commands.matchAll(/hook\.mjs(?:\\*"[ ,]*\\*"?| )+([a-z_]+)/g)].map(([, event]) => event)
    const supported =
      'session_start prompt before_edit before_shell after_shell claimed before_compact stop subagent_start subagent_stop session_end'
    expect(events.filter(event => !supported.split(' ').includes(event!))).toEqual([])
    expect(new Set(events).size).toBeGreaterThanOrEqual(8)
    expect(commands.split('--client').length - 1).toBeGreaterThanOrEqual(events.length)
    expect(commands.split(client).length - 1).toBeGreaterThanOrEqual(events.length)
  })

  test('lines for a shell end well where node is missing', () => {
    for (const client of ['codex', 'gemini', 'cursor']) {
      const lines = Object.values(hooksOf(client)).flat() as { command?: string; hooks?: { command: string }[] }[]
      for (const { command, hooks } of lines)
        expect(command ?? hooks![0]!.command).toMatch(/^command -v node >\/dev\/null 2>&1 \|\| /)
    }
  })
})

/** A skill as it is read: its head, and its body. */
function skill(name: string) {
  const [, head = '', body = ''] = readFileSync(
    join(root, `integrations/plugin/skills/${name}/SKILL.md`),
    'utf8',
  ).split(/^---$/m)
  const fields = Object.fromEntries(
    head.split('\n').flatMap(line => {
      const [, key, value] = /^([a-z]+): (.+)$/.exec(line) ?? []
      return key === undefined ? [] : [[key, value]]
    }),
  )
  const [, presets = ''] = /^ {2}presets: (.+)$/m.exec(head) ?? []
  return { head: { ...fields, metadata: { presets } } as Record<string, unknown>, presets: presets.split(', '), body }
}

/** The calls that a skill gives, as operations with their arguments. */
const callsIn = (body: string): (readonly [name: string, args: Record<string, unknown>])[] =>
  [...body.matchAll(/`([a-z_]+) (\{.*?\})`/g)].map(([, name, args]) => [name!, JSON.parse(args!)] as const)

/** Meta tools, which every view has. */
const meta = new Set(['read_context'])

describe.each(skillNames)('the skill %s', name => {
  test('keeps the rules of Agent Skills, and is short', () => {
    const { head, body } = skill(name)
    expect(SkillHead.parse(head).name).toBe(name)
    expect(body.trim().split('\n').length).toBeLessThanOrEqual(60)
    expect(countTokens(body)).toBeLessThanOrEqual(700)
  })

  test('calls only what there is, with arguments that fit, and its presets may', () => {
    const { body, presets } = skill(name)
    const calls = callsIn(body)
    expect(calls.length).toBeGreaterThanOrEqual(3)
    for (const [called, args] of calls.filter(([each]) => !meta.has(each))) {
      const operation = registry.find(each => each.name === called)
      if (operation === undefined) throw new Error(`${called} is no operation.`)
      const { params, query, body: shape, permission, asks } = operation
      // The board is that of the project.
      const input: Record<string, unknown> = { board_id: 'SHO', ...args }
      for (const [key, each] of Object.entries({ ...params, ...query }))
        expect([called, key, each.safeParse(input[key]).success]).toEqual([called, key, true])
      const rest = Object.fromEntries(Object.entries(args).filter(([key]) => !(key in params) && !(key in query)))
      const parsed = shape?.safeParse(rest)
      if (parsed === undefined) expect([called, Object.keys(rest)]).toEqual([called, []])
      else expect([called, parsed.error]).toEqual([called, undefined])
      const required = asks?.permissions(
        { params: input, query: input, body: (parsed?.data ?? {}) as Record<string, unknown> },
        null,
      ) ?? [permission]
      for (const presetName of presets) {
        const preset = builtinPresets.find(each => each.name === presetName)
        const may = (each: string) => each === '-' || builtinAllows(preset!, each as Permission)
        // A small card that the agent holds may be finished with fewer permissions (crew 6.3).
        const lacking = required.filter(each => !may(each) && !(each === 'CARDS_MOVE_DONE' && may(`${each}_SMALL`)))
        expect([called, presetName, lacking]).toEqual([called, presetName, []])
      }
    }
  })
})

test('the descriptions of all skills take at most 450 tokens', () => {
  const descriptions = skillNames.map(name => String(skill(name).head.description)).join('\n')
  expect(countTokens(descriptions)).toBeLessThanOrEqual(450)
})
