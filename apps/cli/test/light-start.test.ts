/** What a verb that only calls the service loads: starting takes most of its time. */
import { expect, test } from 'vitest'
import { startCommand } from './support/command.ts'

/** Prints what was loaded, as the process ends. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import module from 'node:module'
  const loaded = new Set()
  module.registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
  process.on('exit', () => process.stderr.write('\\nloaded ' + JSON.stringify([...loaded])))
`)}`

/** Rooms that a caller does not need. */
const heavy =
  /\/packages\/(?:domain|storage|cypher|importers)\/|\/node_modules\/(?:kysely|better-sqlite3|@modelcontextprotocol)\//

const nobody = { SPECBOARD_URL: 'http://127.0.0.1:1', SPECBOARD_API_KEY: `dash_${'0'.repeat(48)}` }

test.each([
  ['--version'],
  ['whoami'],
  ['ready', '--board', 'X'],
  ['call', 'get_my_permissions'],
  ['report', '--board', 'X', 'none.xml'],
  ['git', 'status', '--board', 'X'],
])('%s %s loads nothing of the service', async (...args) => {
  const variables = { ...nobody, NODE_OPTIONS: `--import=${telling}` }
  const { errors } = await startCommand({ variables, fromSources: true }, ...args).ended
  const loaded: string[] = JSON.parse(errors.slice(errors.lastIndexOf('loaded ') + 'loaded '.length))
  expect(loaded.length).toBeGreaterThan(20)
  expect(loaded.filter(url => heavy.test(url))).toEqual([])
})
