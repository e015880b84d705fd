import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const sources = join(import.meta.dirname, '../src')

describe('every part that is loaded later', () => {
  test('waits and fails by itself: no source but those that pages are shown by waits for a script in its own way', () => {
    const own = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter(file => /\.tsx?$/.test(file) && /<Suspense\b|\blazy\(/.test(readFileSync(join(sources, file), 'utf8')))
      .toSorted()
    expect(own).toEqual(['app.tsx', join('components', 'part.tsx')])
  })
})

/** Keeps the scripts that a page asks for from now on, until they are let through. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\.js$/, async route => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Cuts a page off from the scripts that it asks for from now on, until the connection is restored. */
async function cutScripts(page: Page): Promise<() => Promise<void>> {
  const scripts = /\.js$/
  await page.route(scripts, route => route.abort())
  return async () => {
    await page.unroute(scripts)
    await page.evaluate("dispatchEvent(new Event('online'))")
  }
}

const notLoaded = 'This part did not load'

describeInBrowser('parts that are loaded later', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
    await scene.workableCard({ title: 'Asked about' })
  })

  /** The board in a browser of a width that no other test has: what a browser has loaded once, it does not ask for again. */
  let width = 1280
  const openFresh = (path: string) => here().open(path, { width: ++width })

  const openBoard = async () => {
    const page = await openFresh(`/b/${key}/board`)
    await tile(page, 'Asked about').waitFor()
    return page
  }

  test.each([
    ['assignee', 'a'],
    ['label', 'l'],
    ['palette', 'Control+k'],
  ] as const)('what is typed while one opens goes into it, and is no shortcut: %s', async (_, pressed) => {
    const page = await openBoard()
    await tile(page, 'Asked about').getByRole('link').focus()
    const release = await holdScripts(page)
    await page.keyboard.press(pressed)
    // Each of them does something on the board.
    for (const letter of 'xmcpz') await page.keyboard.press(letter)
    await page.keyboard.press('Backspace')
    release()
    const field = page.getByRole('dialog').getByRole('combobox')
    await expect.poll(() => field.inputValue()).toBe('xmcp')
    expect(await page.locator('.tile.selected').count()).toBe(0)
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  })

  test('one that is given up by Escape does not open, and keys act on the page again', async () => {
    const page = await openBoard()
    await tile(page, 'Asked about').getByRole('link').focus()
    const release = await holdScripts(page)
    await page.keyboard.press('a')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await page.locator('.tile.selected').waitFor()
    release()
    expect(await page.getByRole('combobox').count()).toBe(0)
  })

  test('one that does not come says so, and opens when the line is back', async () => {
    const page = await openBoard()
    await tile(page, 'Asked about').getByRole('link').focus()
    const mend = await cutScripts(page)
    await page.keyboard.press('d')
    const fault = page.getByRole('dialog', { name: 'Specboard cannot be reached' })
    await fault.getByText(notLoaded).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await fault.waitFor({ state: 'detached' })
    await tile(page, 'Asked about').getByRole('link').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('d')
    await fault.getByText(notLoaded).waitFor()
    await mend()
    await page
      .getByRole('dialog', { name: /^Due date/ })
      .getByRole('textbox')
      .waitFor()
  })

  test('a form keeps what is typed while parts of it do not come', async () => {
    const id = await scene.workableCard({ title: 'Written offline', description: 'As it was.' })
    const { ref } = await here().world.ok('get_card', { card_id: id })
    const page = await openFresh(`/b/${key}/cards/${ref}`)
    const comment = page.getByRole('textbox', { name: 'Write a comment' })
    await comment.waitFor()
    const mend = await cutScripts(page)
    await comment.fill('Typed without a line')
    await page.locator('.card-text').getByRole('button', { name: /^Edit/ }).click()
    await page.getByText(notLoaded).or(page.locator('.card-text textarea')).first().waitFor()
    expect(await comment.inputValue()).toBe('Typed without a line')
    await mend()
    const text = page.locator('.card-text textarea')
    await text.waitFor()
    expect(await text.inputValue()).toBe('As it was.')
    expect(await comment.inputValue()).toBe('Typed without a line')
    expect(await page.getByText(notLoaded).count()).toBe(0)
  })
})
