import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeToOthers, openToOthers } from './folder-rights.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-rights-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a file or a folder with rights of its own, whatever the umask is. */
function make(path: string, mode: number): void {
  if (path.endsWith('/')) mkdirSync(join(folder, path))
  else writeFileSync(join(folder, path), '')
  chmodSync(join(folder, path), mode)
}

test('what others may read is found and closed to them, links and private files are left', () => {
  make('specboard.db', 0o600)
  make('before-0001.db', 0o644)
  make('files/', 0o700)
  make('files/a', 0o640)
  symlinkSync('/dev/null', join(folder, 'link'))
  chmodSync(folder, 0o755)
  expect(openToOthers(folder, { within: false })).toEqual(['.', 'before-0001.db'])
  expect(openToOthers(folder, { within: true }).toSorted()).toEqual(['.', 'before-0001.db', 'files/a'])
  expect(closeToOthers(folder).toSorted()).toEqual(['.', 'before-0001.db', 'files/a'])
  expect(openToOthers(folder, { within: true })).toEqual([])
  expect(statSync(join(folder, 'files/a')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})
