import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, expect } from 'vitest'
import { ServerProcess } from './support/command.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-first-key-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

testOnSqlite('the first key goes to a file for its user alone, and not into what is logged (walls 9)', async () => {
  const file = join(folder, 'owner.key')
  // What lies there already, for all to read, does not receive the key.
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
  expect(output).toContain(`The owner's key is in ${file}, for this user alone`)

  rmSync(file)
  const second = await start()
  expect((await second.end()).output).not.toContain("The owner's key")
})
