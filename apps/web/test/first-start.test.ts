import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { builtSite } from '@specboard/web'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { World } from '../../cli/test/support/world.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const script = fileURLToPath(new URL('../node/build.ts', import.meta.url))

const exitOf = (...args: readonly string[]): Promise<number | null> => {
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  return new Promise(resolve => child.once('close', resolve))
}

test('a build is there whole, compressed beside, and takes the place of older ones alone', async () => {
  const older = '0'.repeat(16)
  const newer = 'f'.repeat(16)
  const folder = await mkdtemp(join(tmpdir(), 'specboard-build-'))
  try {
    await mkdir(join(folder, older))
    await mkdir(join(folder, 'of-somebody'))
    expect(await exitOf(join(folder, newer))).toBe(0)
    expect(await readdir(folder)).toEqual([newer, 'of-somebody'])
    const page = await readFile(join(folder, newer, 'index.html'))
    expect(gunzipSync(await readFile(join(folder, newer, 'index.html.gz')))).toEqual(page)
    for (const [, asset = ''] of String(page).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
      expect(existsSync(join(folder, newer, asset)), asset).toBe(true)
    expect(String(page)).not.toMatch(/<script(?![^>]* src=)|<style|https?:/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describeInBrowser('a page that was opened before the first build is done', () => {
  const here = browsing()
  let isReady = false
  let world: World

  beforeAll(async () => {
    const site = await builtSite()
    world = await World.start({}, { built: () => (isReady ? site.built() : undefined), fault: () => undefined })
  })
  afterAll(() => world.stop())

  test('says so, and opens by itself when it is', async () => {
    const page = await here().visit('/', { url: world.running.url })
    await page.getByText('The board is being built.').waitFor()
    isReady = true
    await page.getByLabel('API key').waitFor()
  })
})
