import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings, smallTargets } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'
import { pageAddresses } from './support/page-addresses.ts'
import { coveredTargets, tinyTargets } from './support/targets.ts'

/** Some thirty pages in one test, on a machine that may be busy, ms. */
const walkMs = 180_000

describeInBrowser('every page', () => {
  const here = browsing()
  let addresses: readonly string[]

  beforeAll(async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const { spec_id, node } = await scene.specInGraph({ title: 'Sessions', acceptance_criteria: ['They are kept'] })
    const ids = {
      ideation: await scene.ideation('review', { title: 'Keep the basket', labels: ['shop'] }),
      refinement: await scene.refinement('draft', { title: 'Of guests' }),
      sprint: (await scene.sprint('active')).sprint_id,
      card: await scene.workableCard({ title: 'Join the baskets', labels: ['shop'], due_date: '2020-01-01' }),
    }
    const question = await scene.cardQuestion(ids.card)
    const refOf = async (kind: keyof typeof ids) => (await world.ok(`get_${kind}`, { [`${kind}_id`]: ids[kind] })).ref
    const drawn = { spec_id, title: 'Shop', global_description: 'How it works.' }
    const files = [{ name: 'unit.tap', text: 'TAP version 14\n1..2\nok 1 - sells\nnot ok 2 - takes back\n' }]
    const report = await world.ok('submit_test_report', { board_id: scene.boardId, files })
    const records: Readonly<Record<string, string>> = {
      board: await scene.boardKey(),
      question,
      ideation: await refOf('ideation'),
      refinement: await refOf('refinement'),
      spec: (await world.ok('get_spec', { spec_id })).ref,
      sprint: await refOf('sprint'),
      card: await refOf('card'),
      report: report.id,
      node: await node('decision:d1'),
      design: (await world.ok('create_spec_architecture', drawn)).id,
    }
    addresses = pageAddresses.map(([, address]) =>
      address.replaceAll(/\{(\w+)\}/g, (_, name: string) => records[name]!),
    )
  })

  /** Opens each page in turn and looks at it when it shows what it has. */
  async function walk(page: Page, look: (path: string) => Promise<void>): Promise<void> {
    for (const path of addresses) {
      await page.goto(here().url + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      await page.waitForLoadState('load')
      for (const waiting of await page.getByText('Loading…').all()) await waiting.waitFor({ state: 'detached' })
      await look(path)
    }
  }

  test.each(['light', 'dark'] as const)(
    'has nothing that axe finds serious, %s',
    async colorScheme => {
      const page = await here().open('/', { colorScheme })
      await walk(page, async path => expect([path, await seriousFindings(page)]).toEqual([path, []]))
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
      await walk(page, async path => {
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
      await walk(page, async path => {
        expect([path, await tinyTargets(page)]).toEqual([path, []])
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
