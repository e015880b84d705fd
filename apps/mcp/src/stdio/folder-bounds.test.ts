import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { FolderBounds } from './folder-bounds.ts'

let home: string
const { HOME } = process.env

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'specboard-home-')))
  for (const folder of ['project/.git', 'project/src', '.ssh', 'given'])
    await mkdir(join(home, folder), { recursive: true })
  for (const file of ['project/.env', 'project/src/a.ts', '.ssh/id', 'notes.txt', 'given/b.txt'])
    await writeFile(join(home, file), '')
  await symlink(join(home, '.ssh'), join(home, 'project/keys'))
  await symlink('.env', join(home, 'project/plain'))
  process.env.HOME = home
})

afterAll(async () => {
  process.env.HOME = HOME
  await rm(home, { recursive: true })
})
afterEach(() => {
  process.env.HOME = home
})

const within = (folders: readonly string[], path: string) =>
  new FolderBounds(folders.map(folder => join(home, folder))).within(join(home, path))

test('a file of a project or of a given folder is used, one that is not there yet too', async () => {
  for (const path of ['project/src/a.ts', 'project/src/new.ts', 'given/b.txt', 'project/src/../src/a.ts'])
    expect(await within(['project', 'given'], path)).toBe(join(home, path))
})

test.each(['notes.txt', 'project/keys/id', '.ssh/id', 'project/../notes.txt', 'given/b.txt', 'projects'])(
  '%s lies outside',
  async path => {
    await expect(within(['project'], path)).rejects.toThrow('--allow-dir')
  },
)

test.each(['project/.env', 'project/.git/config', 'project/plain', 'project/.new/x', 'project/src/../.env'])(
  '%s is a dot file or in a dot folder',
  async path => {
    await expect(within(['project'], path)).rejects.toThrow('dot f')
  },
)

test('neither the home, nor what holds it, nor the whole disk is a folder of files', async () => {
  for (const folder of ['.', '..', '../..'])
    await expect(within([folder], 'project/src/a.ts')).rejects.toThrow('--allow-dir')
  await expect(new FolderBounds(['/']).within(join(home, 'notes.txt'))).rejects.toThrow('--allow-dir')
  process.env.HOME = join(home, 'elsewhere')
  expect(await within(['project'], 'project/src/a.ts')).toBe(join(home, 'project/src/a.ts'))
})
