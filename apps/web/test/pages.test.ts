import { beforeAll, expect, test } from 'vitest'
import { filledAddresses, filledTexts, walk, walkMs } from './support/all-pages.ts'
import { seriousFindings, smallTargets } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'
import { bareTexts } from './support/foreign-texts.ts'
import { coveredTargets, cutStrips, narrowTargets, tinyTargets } from './support/targets.ts'

describeInBrowser('every page', () => {
  const here = browsing()
  let addresses: readonly string[]

  beforeAll(async () => {
    addresses = await filledAddresses(here())
  })

  test.each(['light', 'dark'] as const)(
    'has nothing that axe finds serious, %s',
    async colorScheme => {
      const page = await here().open('/', { colorScheme })
      await walk(page, addresses, async path => expect([path, await seriousFindings(page)]).toEqual([path, []]))
    },
    walkMs,
  )

  test.each([
    ['on a phone', { width: 390, height: 844 }],
    ['at twice the size', { width: 640, height: 400 }],
  ])(
    '%s fits the width, and nothing covers a control',
    async (_, looks) => {
      const page = await here().open('/', looks)
      const tooWide = 'document.documentElement.scrollWidth - innerWidth'
      await walk(page, addresses, async path => {
        expect([path, await page.evaluate(tooWide)]).toEqual([path, 0])
        expect([path, await coveredTargets(page)]).toEqual([path, []])
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

  test(
    'lets each text of others run as its own words do',
    async () => {
      const page = await here().open('/')
      await walk(page, addresses, async path =>
        expect.soft([path, await bareTexts(page, filledTexts)]).toEqual([path, []]),
      )
    },
    walkMs,
  )

  test('rests where less motion is wanted', async () => {
    const page = await here().open('/', { reducedMotion: 'reduce' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--m-fast')")).toBe('0ms')
  })
})
