import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

describeInBrowser('the dependencies of a board', () => {
  const here = browsing()

  /** A row of three cards, a fourth that waits for the first, and one that waits for nothing. */
  async function chained() {
    const scene = await Scene.on(here().world)
    const { world } = here()
    const spec_id = await scene.spec('approved')
    const ids: Record<string, string> = {}
    for (const title of ['Dough', 'Oven', 'Bread', 'Stamp', 'Window'])
      ids[title] = await scene.card({ title, ...(title === 'Stamp' && { spec_id }) })
    const add = (card: string, on: string) =>
      world.ok('add_card_dependency', { card_id: ids[card], depends_on_id: ids[on] })
    await add('Oven', 'Dough')
    await add('Bread', 'Oven')
    await add('Stamp', 'Dough')
    return { key: await scene.boardKey(), spec: await world.ok('get_spec', { spec_id }), ids, add }
  }

  test('are drawn with the critical path; arrow keys follow the lines, Enter leads on', async () => {
    const { key } = await chained()
    const page = await here().open(`/b/${key}/dependencies`)
    const graph = page.getByRole('region', { name: 'Which card waits for which' })
    await graph.getByRole('link', { name: /Dough.*holds up 3 cards, on the critical path/ }).waitFor()
    expect(await graph.getByRole('link').count()).toBe(4)
    expect(await page.locator('.network-lines path.critical[d]').count()).toBeGreaterThanOrEqual(2)
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('c')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Bread')
    expect(await page.locator('.network-node.aside').count()).toBe(1)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Oven' }).waitFor()
  })

  test('are a table too, which says the same', async () => {
    const { key } = await chained()
    const page = await here().open(`/b/${key}/dependencies`)
    await page.locator('.network-node').first().waitFor()
    await page.keyboard.press('v')
    await page.getByRole('table').waitFor()
    expect(page.url()).toContain('view=table')
    const [head, first] = await page.getByRole('row').allInnerTexts()
    expect(head).toContain('Waits for')
    expect(first).toMatch(/Dough.*3.*yes/s)
    expect(await seriousFindings(page)).toEqual([])
  })

  test('of a spec have what its cards wait for, marked as belonging elsewhere', async () => {
    const { key, spec } = await chained()
    const page = await here().open(`/b/${key}/dependencies`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Cards of' }).click()
    await page.keyboard.type(spec.ref)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Dough.*outside this selection/ }).waitFor()
    expect(await page.locator('.network-node').count()).toBe(2)
  })

  test('follow what others change, and say so when there are none', async () => {
    const { key, add } = await chained()
    const page = await here().open(`/b/${key}/dependencies`)
    await page.locator('.network-node').nth(3).waitFor()
    await add('Window', 'Bread')
    await page.getByRole('link', { name: /Dough.*holds up 4 cards/ }).waitFor()
    const other = await Scene.on(here().world)
    await other.card()
    await page.goto(`${here().url}/b/${await other.boardKey()}/dependencies`)
    await page.getByText('No card waits for another.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('fit a phone, as a table and as a drawing', async () => {
    const { key } = await chained()
    const page = await here().open(`/b/${key}/dependencies`, phone)
    await page.getByRole('table').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Graph', exact: true }).tap()
    await page.locator('.network-node').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })
})
