import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, signIn } from './support/browser.ts'
import { Line } from './support/line.ts'

describeInBrowser('what is typed is kept', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  const openCard = async (title: string, url?: string) => {
    const card_id = await scene.card({ title })
    const { ref } = await here().world.ok('get_card', { card_id })
    const path = `/b/${key}/cards/${ref}`
    const page = await here().open(path, url === undefined ? {} : { url })
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    return { page, path, card_id }
  }

  const openForm = async (page: Page) => {
    await page.getByRole('button', { name: 'Report a bug' }).click()
    return page.getByRole('dialog')
  }

  const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

  /** Ways to leave a form; each returns the page on which the form is opened again. */
  const ways: readonly [way: string, leave: (page: Page) => Promise<Page>][] = [
    [
      'Escape',
      async page => {
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await closed(page)
        return page
      },
    ],
    [
      'a click beside it',
      async page => {
        await page.mouse.click(5, 5)
        await closed(page)
        return page
      },
    ],
    [
      'its button',
      async page => {
        await page.getByRole('button', { name: 'Close' }).click()
        return page
      },
    ],
    [
      'another page',
      async page => {
        const url = page.url()
        await page.goto(`${here().url}/admin`)
        await page.goto(url)
        return page
      },
    ],
    [
      'a reload',
      async page => {
        await page.reload()
        return page
      },
    ],
    [
      'a crash of the tab',
      async page => {
        const other = await page.context().newPage()
        const url = page.url()
        const devTools = await page.context().newCDPSession(page)
        const crashed = page.waitForEvent('crash')
        // The crashed page does not answer.
        void devTools.send('Page.crash').catch(() => {})
        await crashed
        await other.goto(url)
        return other
      },
    ],
    [
      'the end of the session',
      async page => {
        await page.context().clearCookies()
        await page.getByRole('dialog').getByRole('button', { name: 'Create the bug' }).click()
        await signIn(page, here().world.owner.key, false)
        return page
      },
    ],
  ]

  test.each(ways)('through %s', async (way, leave) => {
    const { page } = await openCard(`Left by ${way}`)
    const form = await openForm(page)
    await form.getByLabel('Title').fill('It breaks')
    await form.getByLabel('Severity').selectOption('critical')
    await form.getByLabel('Observed behaviour').fill('Something else')
    await form.getByLabel('Expected behaviour').fill('What was meant')
    const again = await openForm(await leave(page))
    await again.getByText('what you wrote earlier').waitFor()
    expect(await again.getByLabel('Title').inputValue()).toBe('It breaks')
    expect(await again.getByLabel('Severity').inputValue()).toBe('critical')
    expect(await again.getByLabel('Observed behaviour').inputValue()).toBe('Something else')
  })

  test('what is thrown away is gone, and what is sent, too', async () => {
    const { page } = await openCard('Thrown away')
    const form = await openForm(page)
    await form.getByLabel('Title').fill('Not meant')
    await page.reload()
    const again = await openForm(page)
    expect(await seriousFindings(page)).toEqual([])
    await again.getByRole('button', { name: 'Discard' }).click()
    expect(await again.getByLabel('Title').inputValue()).toBe('')
    await page.reload()
    await openForm(page)
    expect(await page.getByText('what you wrote earlier').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const comment = page.getByRole('textbox', { name: 'Write a comment' })
    await comment.fill('Sent at last')
    await page.reload()
    expect(await comment.inputValue()).toBe('Sent at last')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('.say').getByText('Sent at last').waitFor()
    await page.reload()
    await page.locator('.say').getByText('Sent at last').waitFor()
    expect(await comment.inputValue()).toBe('')
  })

  test('what is being written on a card that somebody else deletes can be copied, also later', async () => {
    const { page, card_id } = await openCard('Deleted meanwhile')
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('Half an hour of work')
    await here().world.ok('delete_card', { card_id })
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    const unsent = page.getByRole('region', { name: 'What you wrote here and did not send' })
    await unsent.getByText('Half an hour of work').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.goto(page.url().replace('/cards/', '/board?card='))
    await unsent.getByText('Half an hour of work').waitFor()
    await unsent.getByRole('button', { name: 'Discard' }).click()
    await unsent.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('dialog').getByText('There is nothing at this address').waitFor()
    expect(await unsent.count()).toBe(0)
  })

  test('what is being written on a board that is deleted can be copied', async () => {
    const { world } = here()
    const board = await world.ok('create_board', { name: 'Gone', description: '' })
    const page = await here().open(`/b/${board.key}/board`)
    await page.getByRole('button', { name: 'New card' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Not yet added')
    await world.ok('delete_board', { board_id: board.id })
    await page.getByRole('heading', { name: `There is no board ${board.key}` }).waitFor()
    await page.getByText('Not yet added').waitFor()
  })

  test('an edit goes on from what it began from: a change of somebody else meanwhile is shown', async () => {
    const { page, card_id } = await openCard('Edited and left')
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('Mine')
    await page.reload()
    await page.getByRole('textbox', { name: 'What to do' }).waitFor()
    await here().world.ok('update_card', { card_id, description: 'Theirs' })
    await page.reload()
    expect(await page.getByRole('textbox', { name: 'What to do' }).inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Theirs', { exact: true }).waitFor()
    expect(await here().world.ok('get_card', { card_id })).toMatchObject({ description: 'Theirs' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => here().world.ok('get_card', { card_id })).toMatchObject({ description: 'Mine' })
  })

  test('an edit in a dialog does, too', async () => {
    const { world } = here()
    const guideline = await world.ok('create_guideline', { title: 'House style', content: 'Short' })
    await world.ok('add_board_guideline', { board_id: scene.boardId, guideline_id: guideline.id })
    const page = await here().open(`/b/${key}/settings/guidelines`)
    const edit = async () => {
      await page.getByRole('button', { name: /^Edit/ }).click()
      return page.getByRole('dialog')
    }
    await (await edit()).getByLabel('Title').fill('My style')
    await page.reload()
    await world.ok('update_guideline', { guideline_id: guideline.id, title: 'Their style' })
    const form = await edit()
    expect(await form.getByLabel('Title').inputValue()).toBe('My style')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByText('Their style').waitFor()
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await closed(page)
    await page.getByRole('heading', { name: 'My style' }).waitFor()
  })

  test('a lost connection loses nothing, and nobody else sees what was typed', async () => {
    const line = await Line.to(Number(new URL(here().url).port))
    const { page, path } = await openCard('Cut off', line.url)
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('Written while away')
    line.cut()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    line.mend()
    await page.goto(line.url + path)
    expect(await page.getByRole('textbox', { name: 'Write a comment' }).inputValue()).toBe('Written while away')
    const other = await here().world.agent()
    await here().world.ok('grant_board_access', { board_id: scene.boardId, agent_id: other.id })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, other.key, false)
    await page.goto(line.url + path)
    expect(await page.getByRole('textbox', { name: 'Write a comment' }).inputValue()).toBe('')
    await line.close()
  })
})
