import { readFileSync } from 'node:fs'
import { configurationFor } from '@specboard/mcp/calling'
import { Ajv } from 'ajv'
import { default as addFormats } from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { description } from '../../../tools/distribution/description.ts'
import { defaultUrl, files, mcpbManifest } from '../../../tools/distribution/files.ts'
import { McpbManifest, RegistryServer } from '../../../tools/distribution/formats.ts'
import { cursorLink, vsCodeLink } from '../../../tools/distribution/links.ts'
import { manifest } from '../../../tools/package/manifest.ts'

const server = JSON.parse(files['server.json']!)
const configured = (client: 'vscode' | 'cursor') =>
  JSON.parse(configurationFor(client, { url: defaultUrl, stdio: false }))

test('the version stands in one place', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const versions = Object.values(files).flatMap(text =>
    [...text.matchAll(/"version": "([^"]+)"/g)].map(([, each]) => each),
  )
  expect(versions.length).toBeGreaterThanOrEqual(3)
  expect(new Set([...versions, manifest.version, mcpbManifest.version])).toEqual(new Set([version]))
})

test('the registry finds its name in the package', () => {
  expect(manifest.mcpName).toBe(server.name)
  expect(manifest.name).toBe(server.packages[0].identifier)
})

test.each([
  ['a description over 100 characters', { description: 'x'.repeat(101) }],
  ['a name without its namespace', { name: 'specboard' }],
  ['a range for a version', { version: '^1.0.0' }],
  ['a word that the format does not have', { tools: [] }],
])('%s is no entry of the registry', (_, change) => {
  expect(RegistryServer.safeParse({ ...server, ...change }).success).toBe(false)
})

describe('the schema that the MCP registry publishes', () => {
  const text = readFileSync(
    new URL('../../../tools/distribution/published/server.schema.json', import.meta.url),
    'utf8',
  )
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  const fits = ajv.compile(JSON.parse(text))
  const [npm] = server.packages

  test('is the one that server.json names, and server.json fits it', () => {
    expect(server.$schema).toBe(JSON.parse(text).$id)
    expect([fits(server), fits.errors]).toEqual([true, null])
  })

  test.each([
    ['a description over 100 characters', { description: 'x'.repeat(101) }],
    ['a name without its namespace', { name: 'specboard' }],
    ['a transport that there is not', { packages: [{ ...npm, transport: { type: 'carrier' } }] }],
    ['an argument without its value', { packages: [{ ...npm, packageArguments: [{ type: 'positional' }] }] }],
  ])('refuses %s', (_, change) => expect(fits({ ...server, ...change })).toBe(false))
})

test('a bundle without its entry point is none', () => {
  const { entry_point: _, ...rest } = mcpbManifest.server
  expect(McpbManifest.safeParse({ ...mcpbManifest, server: rest }).success).toBe(false)
})

describe('a link says what `specboard init` writes', () => {
  test('for VS Code', () => {
    const [scheme, query] = vsCodeLink().split('?')
    const { name, inputs, ...rest } = JSON.parse(decodeURIComponent(query!))
    expect([scheme, name]).toEqual(['vscode:mcp/install', description.name])
    expect({ inputs, servers: { specboard: rest } }).toEqual(configured('vscode'))
  })

  test('for Cursor', () => {
    const { searchParams } = new URL(cursorLink())
    const config = JSON.parse(Buffer.from(searchParams.get('config')!, 'base64').toString())
    expect({ mcpServers: { specboard: config } }).toEqual(configured('cursor'))
  })
})
