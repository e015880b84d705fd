import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { altered } from '../../cli/test/support/event-log.ts'
import { Scene } from '../../cli/test/support/scene.ts'
import type { TestAgent } from '../../cli/test/support/world.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

/** How often the agent that does not understand why is refused. */
const refusals = 28

const worker = (page: Page, name: string) => page.getByRole('article', { name })

describeInBrowser('who works now', () => {
  const here = browsing()
  let scene: Scene
  let path: string
  const cards: Record<string, string> = {}

  /** An agent that holds a card of its own. */
  const holding = async (name: string, title: string): Promise<TestAgent> => {
    const { world } = here()
    const agent = await world.agent({ name, board_ids: [scene.boardId] })
    cards[name] = await scene.workableCard({ title })
    await world.ok('claim_card', { card_id: cards[name] }, { as: agent })
    return agent
  }

  beforeAll(async () => {
    const { world } = here()
    scene = await Scene.on(world)
    path = `/b/${await scene.boardKey()}/now`
    await holding('Heron', 'Join both baskets')
    const lark = await holding('Lark', 'Check a gift card')
    const question = 'May a guest pay with the card of somebody else?'
    await world.ok('ask_card_question', { card_id: cards.Lark, question }, { as: lark })
    const otter = await holding('Otter', 'Rank results')
    for (let time = 0; time < refusals; time++)
      await world.call('move_card', { card_id: cards.Otter, target_status: 'done' }, { as: otter })
    const finch = await holding('Finch', 'Redeem a part')
    const longAgo = new Date(Date.now() - 38 * 60_000).toISOString()
    await altered(world, 'update agents set last_used_at = ? where id = ?', longAgo, finch.id)
    const { world: w } = here()
    const blocked = await scene.card({ title: 'Waits for the baskets' })
    await w.ok('add_card_dependency', { card_id: blocked, depends_on_id: cards.Heron })
  })

  const open = async (address = path, looks = {}) => {
    const page = await here().open(address, looks)
    await worker(page, 'Heron').waitFor()
    return page
  }

  test('stuck comes first: silent, waiting for an answer, refused again and again', async () => {
    const page = await open()
    await worker(page, 'Otter').getByText(`Refused ${refusals} times in the last hour`).waitFor()
    const stuck = page.getByRole('region', { name: /^Stuck/ })
    expect(await stuck.getByRole('article').evaluateAll(all => all.map(one => one.getAttribute('aria-label')))).toEqual(
      ['Finch', 'Lark', 'Otter'],
    )
    await worker(page, 'Finch')
      .getByText(/^38\s?m(?:in)?\.? ago$/)
      .waitFor()
    await worker(page, 'Heron').getByText('Works', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'What blocks most' }).getByText('Join both baskets').waitFor()
  })

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async colorScheme => {
    const page = await open(path, { colorScheme })
    expect(await seriousFindings(page)).toEqual([])
  })

  test('all boards are looked at together, and a board by itself', async () => {
    const page = await open('/now')
    await page.getByRole('link', { name: 'All boards' }).and(page.locator('[aria-current]')).waitFor()
    await page.getByRole('navigation', { name: 'Which boards' }).getByRole('link').first().click()
    await worker(page, 'Heron').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/now$/)
  })

  test('on a phone in the evening: an answer, a card freed and one given on', async () => {
    const { world } = here()
    const page = await open(path, phone)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await worker(page, 'Lark').getByRole('button', { name: 'Answer' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your answer').fill('Yes, if they know its code.')
    await dialog.getByRole('button', { name: 'Answer' }).tap()
    await page
      .getByRole('region', { name: /^Working/ })
      .getByRole('article', { name: 'Lark' })
      .waitFor()
    await dialog.waitFor({ state: 'detached' })
    await worker(page, 'Finch').getByRole('button', { name: 'Release now' }).tap()
    await worker(page, 'Finch').waitFor({ state: 'detached' })
    await worker(page, 'Otter').getByRole('button', { name: 'Give to…' }).tap()
    await page.getByRole('option', { name: 'Heron' }).tap()
    await page.getByText(/is assigned to Heron/).waitFor()
    const claims = await world.ok('list_claims', { board_id: scene.boardId })
    expect(claims.map(({ agent_name }: { agent_name: string }) => agent_name).sort()).toEqual(['Heron', 'Lark'])
    expect(await world.ok('get_card', { card_id: cards.Otter })).toMatchObject({
      assignee_id: claims.find(({ agent_name }: { agent_name: string }) => agent_name === 'Heron').agent_id,
    })
  })
})
