import type { Page } from 'playwright-core'
import { Scene } from '../../../cli/test/support/scene.ts'
import type { Browsing } from './browser.ts'
import { pageAddresses } from './page-addresses.ts'

/** Some forty pages in one test, each looked at several times, on a machine that may be busy, ms. */
export const walkMs = 300_000

/** What people and agents wrote into the records of all pages. */
export const filledTexts = [
  'Sessions that last',
  'They are kept',
  'Sessions survive a restart',
  'Keep sessions in Redis',
  'It is there',
  'Keep the basket',
  'Of guests',
  'Join the baskets',
  'Shop',
  'How it works.',
  'Why?',
  'Scene',
]

/** The addresses of all pages, with records on each. */
export async function filledAddresses({ world }: Browsing): Promise<readonly string[]> {
  const scene = await Scene.on(world)
  const { spec_id, node } = await scene.specInGraph({
    title: 'Sessions that last',
    acceptance_criteria: ['They are kept'],
  })
  const ids = {
    ideation: await scene.ideation('review', { title: 'Keep the basket', labels: ['shop'] }),
    refinement: await scene.refinement('draft', { title: 'Of guests' }),
    sprint: (await scene.sprint('active')).sprint_id,
    card: await scene.workableCard({ title: 'Join the baskets', labels: ['shop'], due_date: '2020-01-01' }),
  }
  const question = await scene.cardQuestion(ids.card)
  const refOf = async (kind: keyof typeof ids) => (await world.ok(`get_${kind}`, { [`${kind}_id`]: ids[kind] })).ref
  const architecture = { spec_id, title: 'Shop', global_description: 'How it works.' }
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
    design: (await world.ok('create_spec_architecture', architecture)).id,
  }
  return pageAddresses.map(([, address]) => address.replaceAll(/\{(\w+)\}/g, (_, name: string) => records[name]!))
}

/** Opens pages one after another, and calls `look` for each once it shows its content. */
export async function walk(
  page: Page,
  addresses: readonly string[],
  look: (address: string) => Promise<void>,
): Promise<void> {
  const { origin } = new URL(page.url())
  for (const address of addresses) {
    await page.goto(origin + address)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    await page.waitForLoadState('load')
    for (const waiting of await page.getByText(/^(Loading…|Wird geladen …)$/).all())
      await waiting.waitFor({ state: 'detached' })
    await look(address)
  }
}
