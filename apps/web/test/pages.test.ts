import { beforeAll, expect, test } from 'vitest'
import { filledAddresses, filledTexts, walk, walkMs } from './support/all-pages.ts'
import { seriousColours, seriousFindings, smallTargets } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'
import { bareTexts } from './support/foreign-texts.ts'
import { coveredTargets, cutStrips, narrowTargets, tinyTargets, tooWide } from './support/targets.ts'

describeInBrowser('every page', () => {
  const here = browsing()
  let addresses: readonly string[]

  beforeAll(async () => {
    addresses = await filledAddresses(here())
  })

  test(
    'has nothing that axe finds serious, light and dark, and lets each text of others run as its own words do',
    async () => {
      const page = await here().open('/', { colorScheme: 'light' })
      await walk(page, addresses, async path => {
        expect.soft([path, await seriousFindings(page)]).toEqual([path, []])
        expect.soft([path, await bareTexts(page, filledTexts)]).toEqual([path, []])
        expect.soft([path, await seriousColours(page, 'dark')]).toEqual([path, []])
        await page.emulateMedia({ colorScheme: 'light' })
      })
    },
    walkMs,
  )

  test(
    'on a phone and at twice the size fits the width, and nothing covers a control',
    async () => {
      const sizes = [
        { width: 390, height: 844 },
        { width: 640, height: 400 },
      ]
      const page = await here().open('/', sizes[0])
      await walk(page, addresses, async path => {
        for (const size of sizes) {
          await page.setViewportSize(size)
          // A chart is drawn again once its new width is known.
          await expect.poll(async () => [path, size, await page.evaluate(tooWide)]).toEqual([path, size, 0])
          expect.soft([path, size, await coveredTargets(page)]).toEqual([path, size, []])
        }
        await page.setViewportSize(sizes[0]!)
      })
    },
    walkMs,
  )

  test(
    'can be pressed with a finger',
    async () => {
      const page = await here().open('/', phone)
      await walk(page, addresses, async path => {
        expect([path, await cutStrips(page)]).toEqual([path, []])
        expect([path, await tinyTargets(page)]).toEqual([path, []])
        expect.soft([path, await narrowTargets(page)]).toEqual([path, []])
        expect([path, await smallTargets(page)]).toEqual([path, []])
      })
    },
    walkMs,
  )

  test('rests where less motion is wanted', async () => {
    const page = await here().open('/', { reducedMotion: 'reduce' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--m-fast')")).toBe('0ms')
  })
})
