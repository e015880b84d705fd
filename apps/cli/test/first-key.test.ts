import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, expect } from 'vitest'
import { runCommandIn, ServerProcess } from './support/command.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-first-key-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

testOnSqlite('the first key goes to a file for its user alone, and not into what is logged (walls 9)', async () => {
  const file = join(folder, 'owner.key')
  // An existing file that everybody can read does not receive the key.
  writeFileSync(file, 'old', { mode: 0o644 })
  const start = () => ServerProcess.start(join(folder, 'data'), 'debug', { SPECBOARD_OWNER_KEY_FILE: file })
  const first = await start()
  expect(first.key).toBeUndefined()
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  const key = readFileSync(file, 'utf8').trim()
  expect(key).toMatch(/^dash_[0-9a-f]{48}$/)
  expect((await createClient({ url: first.url, key }).getMyPermissions()).agent_id).toBeTruthy()
  const { output, errors } = await first.end()
  expect(`${output}${errors}`).not.toContain(key)
  expect(output).toContain(`The owner's key is in ${file}, readable only by this user`)

  rmSync(file)
  const second = await start()
  expect((await second.end()).output).not.toContain("The owner's key")
})

testOnSqlite('a file for the first key that cannot be written ends the start, and says how to get a key', async () => {
  writeFileSync(join(folder, 'file'), '')
  const file = join(folder, 'file', 'owner.key')
  const data = join(folder, 'data')
  const around = { variables: { SPECBOARD_OWNER_KEY_FILE: file } }
  const flags = ['--port', '0', '--log-level', 'error', '--data-dir', data]
  const { code, output, errors } = await runCommandIn(around, 'serve', ...flags)
  expect([code, output]).toEqual([1, ''])
  expect(errors).toContain(`SPECBOARD_OWNER_KEY_FILE names ${file}, which cannot be written`)
  expect(errors).toContain('"specboard key reset-owner"')
  const reset = await runCommandIn({}, 'key', 'reset-owner', '--data-dir', data)
  expect(reset.output).toMatch(/dash_[0-9a-f]{48}/)

  const deep = join(folder, 'secrets', 'deep', 'owner.key')
  const started = await ServerProcess.start(join(folder, 'other'), 'debug', { SPECBOARD_OWNER_KEY_FILE: deep })
  await started.end()
  expect(readFileSync(deep, 'utf8')).toMatch(/^dash_/)
})

testOnSqlite('a port for monitors that is taken ends the start before there is a key', async () => {
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const data = join(folder, 'data')
  const around = { variables: { SPECBOARD_METRICS_PORT: port } }
  const { code, output, errors } = await runCommandIn(around, 'serve', '--port', '0', '--data-dir', data)
  other.close()
  expect([code, output]).toEqual([1, ''])
  expect(errors).toContain(`SPECBOARD_METRICS_PORT ${port} cannot be used at 127.0.0.1`)
  expect(existsSync(data)).toBe(false)
})
