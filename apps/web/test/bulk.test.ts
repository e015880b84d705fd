import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { column, drag, tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('several cards at once', () => {
  const here = browsing()
  let scene: Scene
  let path: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    path = `/b/${await scene.boardKey()}/board`
  })

  const statusOf = async (card_id: string) => (await here().world.ok('get_card', { card_id })).status
  const move = (card_id: string, target_status: string) => here().world.ok('move_card', { card_id, target_status })

  /** The board with the cards whose titles begin with a word, all of them selected. */
  const select = async (word: string, titles: readonly string[]) => {
    const page = await here().open(`${path}?q=${word}`)
    for (const title of titles) await tile(page, title).getByRole('checkbox').check()
    await page.getByText(`${titles.length} selected`).waitFor()
    return page
  }

  const undone = async (ids: readonly string[], status: string) =>
    expect.poll(async () => new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set([status]))

  test('all are moved, and Undo takes all back', async () => {
    const ids = [await scene.workableCard({ title: 'Free 1' }), await scene.workableCard({ title: 'Free 2' })]
    const page = await select('Free', ['Free 1', 'Free 2'])
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('menuitem', { name: 'Started', exact: true }).click()
    await page.getByText('2 cards moved to Started').first().waitFor()
    await undone(ids, 'started')
    expect(await page.getByRole('toolbar').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await undone(ids, 'not_started')
  })

  test.each([
    [
      'the key',
      async (page: Awaited<ReturnType<typeof select>>) => {
        await tile(page, 'by key 1').getByRole('link').focus()
        await page.keyboard.press('m')
        await page.getByRole('menuitem', { name: 'Started', exact: true }).click()
      },
      'by key',
    ],
    [
      'the menu of one of them',
      async (page: Awaited<ReturnType<typeof select>>) => {
        await tile(page, 'by menu 1').getByRole('button', { name: 'Move to…' }).click()
        await page.getByRole('menuitem', { name: 'Started', exact: true }).click()
      },
      'by menu',
    ],
    [
      'dragging one of them',
      async (page: Awaited<ReturnType<typeof select>>) => {
        await drag(page, 'by hand 1', 'started')
      },
      'by hand',
    ],
  ])('all are moved by %s', async (_, act, word) => {
    const ids: string[] = []
    for (const number of [1, 2, 3]) ids.push(await scene.workableCard({ title: `${word} ${number}` }))
    const page = await select(
      word,
      [1, 2, 3].map(number => `${word} ${number}`),
    )
    await act(page)
    await undone(ids, 'started')
    await expect.poll(() => column(page, 'started').locator('.tile').count()).toBe(3)
    expect(await column(page, 'started').locator('.tile-title').allTextContents()).toEqual(
      [1, 2, 3].map(number => `${word} ${number}`),
    )
  })

  test('a card that is not selected is moved alone', async () => {
    const [, other] = [await scene.workableCard({ title: 'Alone 1' }), await scene.workableCard({ title: 'Alone 2' })]
    const page = await select('Alone', ['Alone 1'])
    await tile(page, 'Alone 2').getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('menuitem', { name: 'Started', exact: true }).click()
    await expect.poll(() => statusOf(other)).toBe('started')
    await page.getByText('1 selected').waitFor()
  })

  test('those that may are moved; the others say why, by the kind of reason, and lead on', async () => {
    const free = await scene.workableCard({ title: 'Mixed free' })
    const waiting = [
      await scene.workableCard({ title: 'Mixed waits 1' }),
      await scene.workableCard({ title: 'Mixed waits 2' }),
    ]
    const blocker = await scene.workableCard({ title: 'In the way' })
    for (const card_id of waiting) await here().world.ok('add_card_dependency', { card_id, depends_on_id: blocker })
    const spec_id = await scene.spec('in_progress')
    await scene.sprint('active', { spec_id })
    const loose = await scene.card({ title: 'Mixed loose', spec_id })
    const page = await select('Mixed', ['Mixed free', 'Mixed waits 1', 'Mixed waits 2', 'Mixed loose'])
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('menuitem', { name: 'Started', exact: true }).click()
    const result = page.getByRole('dialog', { name: 'Done with 1 of 4 cards' })
    await result.getByRole('region', { name: 'Waiting for other cards' }).getByText('Mixed waits 2').waitFor()
    const sprint = result.getByRole('region', { name: 'Not in a sprint' })
    await sprint.getByText('Mixed loose').waitFor()
    await sprint.getByRole('button', { name: 'Add it to the sprint' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await statusOf(free)).toBe('started')
    for (const id of [...waiting, loose]) expect(await statusOf(id)).toBe('not_started')
    await sprint.getByRole('button', { name: 'Add it to the sprint' }).click()
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: loose })).sprint_id).not.toBeNull()
    await result.locator('.button.primary').click()
    await page.getByText('3 selected').waitFor()
  })

  test('one report serves all that ask for one, or each has its own', async () => {
    const ids: string[] = []
    for (const number of [1, 2, 3]) {
      const id = await scene.workableCard({ title: `Reported ${number}` })
      await move(id, 'started')
      await move(id, 'in_progress')
      ids.push(id)
    }
    const report = async (titles: readonly string[]) => {
      const page = await select('Reported', titles)
      await page.getByRole('toolbar').getByRole('button', { name: 'Move to…' }).click()
      await page.getByRole('menuitem', { name: 'Validation' }).click()
      return page
    }
    const page = await report(['Reported 1', 'Reported 2'])
    const form = page.getByRole('dialog')
    await form.getByText('2 cards need a report').waitFor()
    await form.getByLabel('What was done').fill('Both at once')
    for (const why of await form.getByLabel('Why', { exact: false }).all()) await why.fill('As planned')
    await form.getByRole('button', { name: 'Report and move 2 cards' }).click()
    await expect.poll(() => statusOf(ids[0]!)).toBe('validation')
    await expect.poll(() => statusOf(ids[1]!)).toBe('validation')
    const { conclusions } = await here().world.ok('get_card', { card_id: ids[1]! })
    expect(conclusions).toMatchObject([{ text: 'Both at once' }])
  })

  test('a label that one of them does not take says so, and is put on the others', async () => {
    const ids = [await scene.card({ title: 'Tagged 1' }), await scene.card({ title: 'Tagged 2' })]
    const page = await select('Tagged', ['Tagged 1', 'Tagged 2'])
    const detail = { error: 'ARCHIVED', message: 'It is archived. Restore it first.' }
    await page.route(`**/api/v1/cards/${ids[0]}`, route =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json: { detail } }) : route.continue(),
    )
    await page.getByLabel('Add label…').fill('grouped')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: ids[1]! })).labels).toEqual(['grouped'])
    const result = page.getByRole('dialog', { name: 'Done with 1 of 2 cards' })
    await result.getByRole('region', { name: 'Archived' }).getByText('Restore it first.').waitFor()
    await result.locator('.button.primary').click()
    await page.getByText('1 selected').waitFor()
  })
})
