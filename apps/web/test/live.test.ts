import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { column, drag, tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { Line } from './support/line.ts'

/** Whether a request opens the stream of events. */
const isStream = (request: Request): boolean => request.headers().accept === 'text/event-stream'

describeInBrowser('what happens elsewhere', () => {
  const here = browsing()

  const boardPath = async (scene: Scene) => `/b/${await scene.boardKey()}/board`

  test('a cut stream is told, and resumed without a gap', async () => {
    const scene = await Scene.on(here().world)
    await scene.card({ title: 'Before the cut' })
    const line = await Line.to(here().world.running.port)
    try {
      const page = await here().open(await boardPath(scene), { url: line.url })
      await page.getByText('Before the cut').waitFor()
      line.cut()
      await page.getByText('Connection lost').waitFor()
      await scene.card({ title: 'While it was cut' })
      line.mend()
      await page.getByText('While it was cut').waitFor()
      await page.getByText('Connection lost').waitFor({ state: 'detached' })
    } finally {
      await line.close()
    }
  })

  test('a network that is gone is told at once, though the stream has not noticed', async () => {
    const scene = await Scene.on(here().world)
    const page = await here().open(await boardPath(scene))
    await page.locator('.column').first().waitFor()
    await page.context().setOffline(true)
    await page.getByText('Connection lost').waitFor()
    await page.context().setOffline(false)
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
  })

  test('nothing is missed between what a page reads and its connection', async () => {
    const scene = await Scene.on(here().world)
    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/events/stream**', async route => {
      if (isStream(route.request())) await gate.promise
      await route.continue()
    })
    await page.goto(here().url + (await boardPath(scene)))
    await page.getByText('This board has no cards yet.').waitFor()
    await scene.card({ title: 'Before the connection' })
    gate.resolve()
    await page.getByText('Before the connection').waitFor()
  })

  test('what changes while a page is read for the first time is read again', async () => {
    const scene = await Scene.on(here().world)
    const path = await boardPath(scene)
    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const [firstRead, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(
      '**/boards/*/cards**',
      async route => {
        const json = await here().world.ok('list_cards', { board_id: scene.boardId })
        firstRead.resolve()
        await gate.promise
        await route.fulfill({ json })
      },
      { times: 1 },
    )
    await page.goto(here().url + path)
    await firstRead.promise
    await page.evaluate(`void (globalThis.heard = new Promise(resolve => {
      new BroadcastChannel('specboard-events').onmessage = ({ data }) => {
        if (data.message.kind === 'event') setTimeout(resolve, 500)
      }
    }))`)
    await scene.card({ title: 'While it was read' })
    // Long after the page has heard of it.
    await page.evaluate('heard')
    gate.resolve()
    await page.getByText('While it was read').waitFor()
  })

  test('a page goes on where it was when the service comes back', async () => {
    const scene = await Scene.on(here().world)
    const card_id = await scene.workableCard({ title: 'Before the restart' })
    const page = await here().open(await boardPath(scene))
    await column(page, 'not_started').getByText('Before the restart').waitFor()
    await here().restart(() => page.getByText('Connection lost').waitFor())
    await here().world.ok('move_card', { card_id, target_status: 'started' })
    await column(page, 'started').getByText('Before the restart').waitFor()
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
  })

  test('two browsers see what the other does', async () => {
    const scene = await Scene.on(here().world)
    await scene.workableCard({ title: 'Passed on' })
    const path = await boardPath(scene)
    const [one, other] = [await here().open(path), await here().open(path)]
    await column(other, 'not_started').getByText('Passed on').waitFor()
    await drag(one, 'Passed on', 'started')
    await column(other, 'started').getByText('Passed on').waitFor()
    await drag(other, 'Passed on', 'in_progress')
    await column(one, 'in_progress').getByText('Passed on').waitFor()
  })

  test('of a large board only the card that changed is read again, and those that waited for it', async () => {
    const scene = await Scene.on(here().world)
    const [card_id, waiting] = [await scene.card({ title: 'In the way' }), await scene.card({ title: 'Waits' })]
    await here().world.ok('add_card_dependency', { card_id: waiting, depends_on_id: card_id })
    const page = await here().open(await boardPath(scene))
    await tile(page, 'Waits').getByText('Waits for 1 card').waitFor()
    const reads: (string | null)[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/cards')) reads.push(url.searchParams.get('ids'))
    })
    await here().world.ok('move_card', { card_id, target_status: 'cancelled' })
    await tile(page, 'Waits').getByText('Waits for 1 card').waitFor({ state: 'detached' })
    expect(new Set(reads)).toEqual(new Set([card_id, waiting]))
  })

  test('the tabs of a browser share one connection, which survives the tab that held it', async () => {
    const scene = await Scene.on(here().world)
    const path = await boardPath(scene)
    const first = await here().open(path)
    await first.getByText('This board has no cards yet.').waitFor()
    const streams: string[] = []
    const second = await first.context().newPage()
    second.on('request', request => {
      if (isStream(request)) streams.push(request.url())
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
