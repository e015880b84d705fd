import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { Line } from './support/line.ts'

describeInBrowser('what happens elsewhere', () => {
  const here = browsing()

  const boardPath = async (scene: Scene) =>
    `/b/${(await here().world.ok('get_board', { board_id: scene.boardId })).key}/board`

  test('a cut stream is told, and resumed without a gap', async () => {
    const scene = await Scene.on(here().world)
    await scene.card({ title: 'Before the cut' })
    const line = await Line.to(here().world.running.port)
    try {
      const page = await here().open(await boardPath(scene), { url: line.url })
      await page.getByText('Before the cut').waitFor()
      line.cut()
      await page.getByText('The connection is lost').waitFor()
      await scene.card({ title: 'While it was cut' })
      line.mend()
      await page.getByText('While it was cut').waitFor()
      await page.getByText('The connection is lost').waitFor({ state: 'detached' })
    } finally {
      await line.close()
    }
  })

  test('the tabs of a browser share one connection, which survives the tab that held it', async () => {
    const scene = await Scene.on(here().world)
    const path = await boardPath(scene)
    const first = await here().open(path)
    await first.getByText('This board has no cards yet.').waitFor()
    const streams: string[] = []
    const second = await first.context().newPage()
    second.on('request', request => {
      if (request.url().includes('/events/stream')) streams.push(request.url())
    })
    await second.goto(here().url + path)
    await second.getByText('This board has no cards yet.').waitFor()
    await scene.card({ title: 'Told by the first' })
    await second.getByText('Told by the first').waitFor()
    expect(streams).toEqual([])
    await first.close()
    await scene.card({ title: 'Told to the second' })
    await second.getByText('Told to the second').waitFor()
    expect(streams).toHaveLength(1)
  })

  test('what changed is marked; focus and scroll stay', async () => {
    const scene = await Scene.on(here().world)
    const titles = Array.from({ length: 30 }, (_, index) => `Card ${index}`)
    const spec_id = await scene.spec('approved')
    const ids: string[] = []
    for (const title of titles) ids.push(await scene.card({ title, spec_id }))
    const page = await here().open(await boardPath(scene))
    await page.getByRole('link', { name: 'Card 3', exact: true }).focus()
    const column = page.locator('[data-column="not_started"]')
    await column.evaluate(element => element.scrollTo(0, 200))
    await here().world.ok('update_card', { card_id: ids[5]!, title: 'Card 5 anew' })
    await page.locator('.tile.changed', { hasText: 'Card 5 anew' }).waitFor()
    expect(await column.evaluate(element => element.scrollTop)).toBe(200)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Card 3')
  })
})
