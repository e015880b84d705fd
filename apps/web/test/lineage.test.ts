import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('lineage', () => {
  const here = browsing()
  let scene: Scene
  let key: string
  /** The references of a spec, its cards and the refinement that it came from. */
  let refs: Readonly<Record<'refinement' | 'spec' | 'card' | 'waiting' | 'test', string>>

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
    const { world } = here()
    const refinement_id = await scene.refinement('done', { title: 'Cut out' })
    const { id: spec_id } = await world.ok('derive_spec_from_refinement', { refinement_id })
    await world.ok('update_spec', {
      spec_id,
      test_scenarios: [{ id: 's1', title: 'It is tried' }],
      status: 'approved',
    })
    for (const status of ['review', 'approved']) await world.ok('move_spec', { spec_id, status })
    const { card_id } = await scene.sprint('draft', { spec_id, title: 'One slice' })
    const waiting = await scene.card({ spec_id, title: 'Waits' })
    await world.ok('add_card_dependency', { card_id: waiting, depends_on_id: card_id })
    const tried = await scene.testCard({ spec_id, title: 'Tries it' })
    const refOf = async (id: string) => (await world.ok('get_card', { card_id: id })).ref
    refs = {
      refinement: (await world.ok('get_refinement', { refinement_id })).ref,
      spec: (await world.ok('get_spec', { spec_id })).ref,
      card: await refOf(card_id),
      waiting: await refOf(waiting),
      test: await refOf(tried),
    }
  })

  test('a board without records says what belongs there', async () => {
    const { key: empty } = await here().world.ok('create_board', { name: 'Nothing yet', description: '' })
    const page = await here().open(`/b/${empty}/lineage`)
    await page.getByText('Nothing has been planned here yet').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a card without a spec says why it has no lineage', async () => {
    const card_id = await scene.card({ title: 'Alone' })
    const { ref, spec_id } = await here().world.ok('get_card', { card_id })
    await here().world.ok('unlink_card_from_spec', { spec_id, card_id })
    const page = await here().open(`/b/${key}/lineage/${ref}`)
    await page.getByRole('alert').waitFor()
  })

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['dark', 390],
  ] as const)('the tree of a record has no serious finding, %s, %i wide', async (colorScheme, width) => {
    const page = await here().open(`/b/${key}/lineage/${refs.spec}`, { colorScheme, width })
    await page.getByRole('treeitem', { name: `${refs.refinement} Done Cut out Refinement` }).waitFor()
    await page.getByRole('treeitem', { name: /Tries it/ }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rules, scenarios and other parts' }).click()
    await page.getByRole('treeitem', { name: /It is tried/ }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })

  test('the mouse shows what is downstream of a record, and leads to it', async () => {
    const page = await here().open(`/b/${key}/lineage`)
    await page.getByRole('button', { name: `Show what is downstream of ${refs.spec} ` }).click()
    const side = page.getByRole('complementary', { name: 'Selected record' })
    await side.getByText('Sprints').waitFor()
    expect(page.url()).toContain(`at=${refs.spec}`)
    await side.getByRole('link', { name: 'Only this tree' }).click()
    await page.getByRole('heading', { name: `Lineage of ${refs.spec}` }).waitFor()
    await page.getByRole('button', { name: `Collapse ${refs.spec} ` }).click()
    await page.getByRole('treeitem', { name: /Waits/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Expand ${refs.spec} ` }).click()
    await page.getByRole('button', { name: `Show what is downstream of ${refs.card} ` }).click()
    await side.getByRole('heading', { name: 'Blocks' }).waitFor()
    await side.getByRole('button', { name: `${refs.waiting} Waits` }).click()
    await side.getByRole('heading', { name: 'Depends on' }).waitFor()
    await side.getByRole('link', { name: 'Open the card' }).click()
    await page.getByRole('heading', { level: 1, name: 'Waits' }).waitFor()
  })

  test('the keyboard opens, closes, chooses and follows', async () => {
    const page = await here().open(`/b/${key}/lineage/${refs.refinement}`)
    const tree = page.getByRole('tree')
    await tree.focus()
    const active = () =>
      page.evaluate(
        'document.getElementById(document.activeElement.getAttribute("aria-activedescendant") ?? "")?.ariaLabel ?? ""',
      )
    await expect.poll(active).toContain('Cut out')
    await page.keyboard.press('ArrowDown')
    await expect.poll(active).toContain(`${refs.spec} Approved`)
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('treeitem', { name: /Waits/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await page.getByRole('treeitem', { name: /Waits/ }).waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(active).toContain('One slice')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(active).toContain(`${refs.spec} Approved`)
    await page.keyboard.press('Space')
    await page.getByRole('link', { name: 'Open the spec' }).waitFor()
    await page.keyboard.press('End')
    await expect.poll(active).toContain('Tries it')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tries it' }).waitFor()
  })

  test('what happens elsewhere is followed', async () => {
    const page = await here().open(`/b/${key}/lineage/${refs.spec}`)
    await page.getByRole('treeitem', { name: /Not started Waits/ }).waitFor()
    await here().world.ok('update_card', { card_id: refs.waiting, title: 'Waits still' })
    await page.getByRole('treeitem', { name: /Waits still/ }).waitFor()
    await here().world.ok('update_card', { card_id: refs.waiting, title: 'Waits' })
  })

  test('thousands of records stay usable: only what is on the screen is drawn, and each is found', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `Task ${index},To Do`)
    const file = new File([`title,status\n${rows.join('\n')}\n`], 'tasks.csv', { type: 'text/csv' })
    const { board_id } = await here().world.ok('import_board', { file })
    const { key: large } = await here().world.ok('get_board', { board_id })
    const page = await here().open(`/b/${large}/lineage`)
    await page.getByRole('treeitem').first().waitFor()
    await page.getByRole('button', { name: 'Expand all' }).click()
    await page.getByRole('treeitem', { name: /Task 2 / }).waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(60)
    await page.getByRole('tree').focus()
    await page.keyboard.press('End')
    await page.getByRole('treeitem', { name: /Task 2999 / }).waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(60)
    await page.getByLabel('Filter by text').fill('task 1234')
    await page.getByRole('treeitem', { name: /Task 1234 / }).waitFor()
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(6)
  })
})
