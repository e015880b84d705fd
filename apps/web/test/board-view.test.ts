import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { forgeSecret, sendEvent, settled } from '../../cli/test/support/forge.ts'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { column, lift, tile } from './support/board.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

/** The words of the chips, part by part. */
const chips = (page: Page) => page.locator('.chip').allInnerTexts()

/** The button of a folded column, named “Unfold …”. */
const folded = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Unfold ${name}`) })

describeInBrowser('what a board shows', () => {
  const here = browsing()
  let scene: Scene
  let path: string

  beforeEach(async () => {
    scene = await Scene.on(here().world)
    path = `/b/${await scene.boardKey()}/board`
  })

  const open = async (query = '', looks = {}) => {
    const page = await here().open(path + query, looks)
    await page.locator('.column').first().waitFor()
    return page
  }

  const titles = (page: Page) => page.locator('.tile-title').allInnerTexts()

  test('filters are chips: several values of a property, turned round and taken away one by one', async () => {
    await scene.card({ title: 'One', labels: ['mail'] })
    await scene.card({ title: 'Two', labels: ['web'] })
    await scene.card({ title: 'Three' })
    const page = await open()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Label' }).click()
    await page.getByRole('combobox', { name: 'Label' }).fill('ma')
    await page.keyboard.press('Enter')
    await expect.poll(() => titles(page)).toEqual(['One'])
    await page.getByRole('combobox', { name: 'Label' }).fill('')
    await page.getByRole('option', { name: 'web' }).click()
    await expect.poll(() => titles(page)).toEqual(['One', 'Two'])
    await page.keyboard.press('Escape')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Label: is' }).click()
    await expect.poll(() => titles(page)).toEqual(['Three'])
    expect(new URL(page.url()).search).toBe('?label.not=mail&label.not=web')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Blocked' }).click()
    await page.getByText('No card matches the filters').waitFor()
    await page.getByRole('button', { name: 'Remove the filter Blocked' }).click()
    await expect.poll(() => titles(page)).toEqual(['Three'])
    expect((await chips(page)).join().replaceAll(/\s+/g, ' ')).toBe('Label is not mail, web')
  })

  test('a column says when it holds more than its limit, or would', async () => {
    const { world } = here()
    const settings = { column_limits: { not_started: 2, on_hold: 1 } }
    await world.ok('update_board', { board_id: scene.boardId, settings })
    const first = await scene.card({ title: 'One', labels: ['mail'] })
    await scene.card({ title: 'Two' })
    const parked = await scene.card({ title: 'Parked' })
    await world.ok('move_card', { card_id: parked, target_status: 'on_hold' })
    const page = await open()
    const limit = (status: string) => page.locator(`.column:has([data-column="${status}"]) .column-count`)
    await expect.poll(() => limit('not_started').textContent()).toBe('2 / 2 of at most 2')
    expect(await page.locator('.column-count.over').count()).toBe(0)
    await lift(page, 'One')
    await page.getByText('Above the limit: the column would hold 2 cards; at most 1 may be there.').waitFor()
    const { x, y } = (await column(page, 'on_hold').boundingBox())!
    await page.mouse.move(x + 60, y + 90, { steps: 6 })
    await page.mouse.up()
    await page.getByTitle('2 cards, 1 more than the limit of 1').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await world.ok('move_card', { card_id: first, target_status: 'not_started' })
    await scene.card({ title: 'Three' })
    await page.getByTitle('3 cards, 1 more than the limit of 2').waitFor()
    // Filters change what is shown, not what the column holds.
    await page.goto(`${here().url}${path}?label=mail`)
    await page.getByTitle('3 cards, 1 more than the limit of 2').waitFor()
    // A phone shows one column; the tabs of the others have the same notice.
    const onPhone = await open('', phone)
    await onPhone.locator('.column-tab', { hasText: 'On hold' }).tap()
    const tab = onPhone.locator('.column-tab', { hasText: 'Not started' })
    await tab.getByTitle('3 cards, 1 more than the limit of 2').waitFor()
  })

  test('a full column of a board that refuses more is closed before the drop, and says how much room there is', async () => {
    const { world } = here()
    const settings = { column_limits: { on_hold: 2 }, over_column_limit: 'refuse' }
    await world.ok('update_board', { board_id: scene.boardId, settings })
    for (const title of ['One', 'Two']) await scene.card({ title })
    const park = async (title: string) =>
      world.ok('move_card', { card_id: await scene.card({ title }), target_status: 'on_hold' })
    await park('Parked')
    const page = await open()
    await tile(page, 'One').waitFor()
    for (const title of ['One', 'Two']) await tile(page, title).getByRole('checkbox').check()
    await lift(page, 'One')
    await page.getByText('Room for 1 more: this board refuses the others.').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await park('Parked too')
    await page.reload()
    await column(page, 'on_hold').getByText('Parked too').waitFor()
    await lift(page, 'One')
    const says = 'The column is full: this board lets in at most 2 cards. Finish a card there or move it on.'
    await page.locator('.column.refused').getByText(says).waitFor()
    // The reason why the column is closed is not faded like its cards.
    await page.locator('.column.refused .column-count').getByText('2 / 2').waitFor()
    await page.mouse.up()
  })

  test('days are filtered by too: before, after and between, in the address and on the list', async () => {
    await scene.card({ title: 'Soon', due_date: '2031-01-10' })
    await scene.card({ title: 'Later', due_date: '2031-03-10' })
    await scene.card({ title: 'Never' })
    const page = await open()
    await tile(page, 'Soon').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('menuitem', { name: 'Due' }).click()
    await page.getByRole('option', { name: 'Other days…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Due: days' })
    await dialog.getByLabel('Due: days').selectOption('between')
    await dialog.getByLabel('From', { exact: true }).fill('2031-01-01')
    await dialog.getByLabel('To', { exact: true }).fill('2031-02-01')
    await dialog.getByLabel('To', { exact: true }).press('Enter')
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await expect.poll(() => titles(page)).toEqual(['Soon'])
    expect(new URL(page.url()).searchParams.get('due')).toBe('2031-01-01..2031-02-01')
    await page.getByRole('button', { name: /^Due: Jan 1, 2031 to/ }).click()
    await page.getByRole('option', { name: 'Other days…' }).click()
    await dialog.getByLabel('Due: days').selectOption('after')
    await dialog.getByLabel('Day', { exact: true }).fill('2031-02-01')
    await dialog.getByLabel('Day', { exact: true }).press('Enter')
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await expect.poll(() => titles(page)).toEqual(['Later'])
    await page.getByRole('button', { name: 'Due: is' }).click()
    await expect.poll(() => titles(page)).toEqual(['Soon', 'Never'])
    await page.goto(page.url().replace('/board?', '/list?'))
    await page.locator('[data-row]').first().waitFor()
    await expect.poll(() => page.locator('tbody [data-entry]').allInnerTexts()).toEqual(['Soon', 'Never'])
  })

  test('Alt and the arrows move a card in its column, step by step, with the focus on it', async () => {
    const spec_id = await scene.spec('in_progress')
    for (const title of ['One', 'Two', 'Three']) await scene.card({ title, spec_id })
    const page = await open()
    const order = () => column(page, 'not_started').locator('.tile-title').allInnerTexts()
    const isOn = (title: string) =>
      tile(page, title)
        .getByRole('link')
        .evaluate(link => link.matches(':focus'))
    await tile(page, 'One').getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(order).toEqual(['Two', 'One', 'Three'])
    await page.getByText(/ is 2 of 3$/).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(order).toEqual(['One', 'Two', 'Three'])
    await tile(page, 'Three').getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(order).toEqual(['Three', 'One', 'Two'])
    await page.getByText(/ is 1 of 3$/).waitFor({ state: 'attached' })
    expect(await isOn('Three')).toBe(true)
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText(/ is already the first$/).waitFor({ state: 'attached' })
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(order).toEqual(['One', 'Three', 'Two'])
    await page.getByText(/ is 2 of 3$/).waitFor({ state: 'attached' })
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText(/ is 3 of 3$/).waitFor({ state: 'attached' })
    await expect.poll(order).toEqual(['One', 'Two', 'Three'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(order).toEqual(['One', 'Three', 'Two'])
    await page.goto(`${here().url}${path}?order=priority`)
    await tile(page, 'One').getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page
      .getByText('Cards can be moved within a column only when the order is by hand')
      .waitFor({ state: 'attached' })
  })

  test('the palette does what can be done to the card that has the focus, and to all that are selected', async () => {
    const { world } = here()
    const spec_id = await scene.spec('in_progress')
    const ids: string[] = []
    for (const title of ['One', 'Two']) ids.push(await scene.card({ title, spec_id }))
    const { ref } = await world.ok('get_card', { card_id: ids[0]! })
    const page = await open()
    await tile(page, 'One').getByRole('link').focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: `${ref} One` }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.type('due date')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Due date…' }).getByRole('textbox').fill('2031-05-06')
    await page.keyboard.press('Enter')
    const dueOf = async (id: string) => (await world.ok('get_card', { card_id: id })).due_date
    await expect.poll(() => dueOf(ids[0]!)).toMatch(/^2031-05-06/)
    for (const title of ['One', 'Two']) await tile(page, title).getByRole('checkbox').check()
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: '2 selected' }).waitFor()
    await page.keyboard.type('claim')
    await page.keyboard.press('Enter')
    const holderOf = async (id: string) => (await world.ok('get_card', { card_id: id })).claim?.agent_id
    await expect.poll(async () => Promise.all(ids.map(holderOf))).toEqual([world.owner.id, world.owner.id])
    // A key does the same.
    await tile(page, 'Two').getByRole('link').focus()
    await page.keyboard.press('d')
    await page.getByRole('dialog', { name: 'Due date of 2 cards…' }).getByRole('textbox').fill('2032-07-08')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await Promise.all(ids.map(dueOf))).map(at => at?.slice(0, 10)))
      .toEqual(['2032-07-08', '2032-07-08'])
  })

  test('columns without cards are folded, and shown by a press or by a card that is held over them', async () => {
    await scene.card({ title: 'Alone' })
    const page = await open()
    await tile(page, 'Alone').waitFor()
    await folded(page, 'Started').click()
    await page.getByRole('button', { name: 'Add a card to Started' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Fold Started' }).click()
    await folded(page, 'Started').waitFor()
    await lift(page, 'Alone')
    const { x, y } = (await column(page, 'on_hold').boundingBox())!
    await page.mouse.move(x + 10, y + 200, { steps: 6 })
    await page.getByRole('button', { name: 'Add a card to On hold' }).waitFor()
    await page.getByText(/Drop to move \S+ to On hold/).waitFor()
    await page.mouse.up()
    await column(page, 'on_hold').getByText('Alone').waitFor()
    await folded(page, 'Validation').waitFor()
  })

  test('what columns and cards show is chosen, and kept by the browser', async () => {
    const spec_id = await scene.spec('approved', { title: 'Keep the basket' })
    await scene.card({ title: 'Shown', spec_id })
    const page = await open()
    await tile(page, 'Shown').getByText('Keep the basket').waitFor()
    await page.getByRole('button', { name: 'Display' }).click()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('switch', { name: 'Fold empty columns' }).click()
    await page.getByRole('button', { name: 'Add a card to Done' }).waitFor()
    await page.getByRole('switch', { name: 'Spec' }).click()
    await tile(page, 'Shown').getByText('Keep the basket').waitFor({ state: 'detached' })
    await page.getByRole('dialog', { name: 'Display' }).getByLabel('Lanes').selectOption('spec')
    await page.getByRole('heading', { name: /Keep the basket/ }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('heading', { name: 'Not started' }).count()).toBe(1)
    expect(await seriousFindings(page)).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: /Keep the basket/ }).waitFor()
    expect(await tile(page, 'Shown').getByText('Keep the basket').count()).toBe(0)
    await page.evaluate('localStorage.removeItem("specboard-board")')
  })

  test('cards come in another order where it is wanted', async () => {
    await scene.card({ title: 'Later', priority: 'low' })
    await scene.card({ title: 'First', priority: 'critical' })
    const page = await open('?order=priority')
    await expect.poll(() => titles(page)).toEqual(['First', 'Later'])
  })

  test('marks say how far the changes of a card are, and what their checks came to (git 10)', async () => {
    const { world } = here()
    const board_id = scene.boardId
    const url = 'https://github.com/acme/shop'
    const repository = await world.ok('create_repository', { board_id, url, webhook_secret: forgeSecret })
    const cardId = await scene.workableCard({ title: 'With a change' })
    const { ref } = await world.ok('get_card', { card_id: cardId })
    const [base, head] = ['a'.repeat(40), 'b'.repeat(40)]
    const tell = async (event: string, payload: object) => {
      await sendEvent(world, repository.id, { event, payload })
      await settled(world, repository.id)
    }
    const page = await open()
    await tile(page, 'With a change').waitFor()
    await tell('pull_request', {
      action: 'opened',
      pull_request: {
        number: 12,
        state: 'open',
        title: ref,
        draft: false,
        merged: false,
        updated_at: '2026-11-20T08:20:05Z',
        head: { ref: 'work', sha: head, repo: { full_name: 'acme/shop' } },
        base: { ref: 'main', sha: base, repo: { full_name: 'acme/shop' } },
      },
    })
    await tell('check_run', {
      check_run: {
        name: 'e2e',
        head_sha: head,
        status: 'completed',
        conclusion: 'failure',
        started_at: '2026-11-20T08:21:00Z',
        completed_at: '2026-11-20T08:21:00Z',
        html_url: 'https://github.com/acme/shop/runs/1',
      },
    })
    await tile(page, 'With a change').getByTitle('Pull request open, checks fail').waitFor()
    await tile(page, 'With a change').getByText('Checks fail', { exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Checks failing' }).click()
    await expect.poll(() => titles(page)).toEqual(['With a change'])
  })

  test('marks say how far a card is proven and by whom (evidence 13)', async () => {
    const { world } = here()
    const board_id = scene.boardId
    const prove = async (title: string, exit_code: number) => {
      const { ref } = await world.ok('get_card', { card_id: await scene.workableCard({ title }) })
      const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', for: [ref] })
      await world.ok('finish_proof_run', { run_id: id, exit_code })
    }
    await prove('Works', 0)
    await prove('Breaks', 1)
    await scene.workableCard({ title: 'Untested' })
    const page = await open()
    await tile(page, 'Works').getByTitle('Proven, by a watched run', { exact: true }).waitFor()
    await tile(page, 'Breaks').getByTitle('Fails, by a watched run', { exact: true }).waitFor()
    await tile(page, 'Untested').waitFor()
    expect(await page.locator('.proof-mark').allInnerTexts()).toEqual(['R', 'R'])
    expect(await seriousFindings(page)).toEqual([])
  })

  test('keys walk, select on the way, and change what is selected', async () => {
    const ids = [await scene.card({ title: 'Key one' }), await scene.card({ title: 'Key two' })]
    await scene.card({ title: 'Key three' })
    const page = await open()
    await tile(page, 'Key three').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(() => page.locator('.tile.selected').count()).toBe(2)
    await page.keyboard.press('p')
    await page.getByRole('combobox', { name: 'Priority of 2 cards…' }).fill('very')
    await page.keyboard.press('Enter')
    const priorities = async () =>
      Promise.all(ids.map(async card_id => (await here().world.ok('get_card', { card_id })).priority))
    await expect.poll(priorities).toEqual(['very_high', 'very_high'])
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('l')
    await page.getByRole('combobox', { name: 'Label…' }).fill('fresh')
    await page.keyboard.press('Enter')
    await page.locator('.tile').getByText('fresh').waitFor()
  })

  test('a key takes cards to oneself, and another takes that back', async () => {
    const card_id = await scene.card({ title: 'Mine' })
    const page = await open()
    await tile(page, 'Mine').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('i')
    const assignee = async () => (await here().world.ok('get_card', { card_id })).assignee_id
    await expect.poll(assignee).toBe(here().world.owner.id)
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(assignee).toBe(null)
  })

  test('a card that somebody holds says so, and for how long', async () => {
    const id = await scene.workableCard({ title: 'Held' })
    await here().world.ok('claim_card', { card_id: id })
    const page = await open()
    await tile(page, 'Held')
      .getByText(/Working for (?:< )?\d+ min/)
      .waitFor()
    await page.getByText('1 at work').waitFor()
  })

  test('on a phone, tabs lead to the columns', async () => {
    const id = await scene.workableCard({ title: 'Far right' })
    await here().world.ok('move_card', { card_id: id, target_status: 'on_hold' })
    const page = await open('', phone)
    await tile(page, 'Far right').waitFor({ state: 'attached' })
    await page.locator('.column-tab', { hasText: 'On hold' }).tap()
    await page.locator('.column-tab[aria-current]', { hasText: 'On hold' }).waitFor()
    await expect.poll(async () => (await tile(page, 'Far right').boundingBox())!.x).toBeLessThan(40)
    expect(await seriousFindings(page)).toEqual([])
  })
})
