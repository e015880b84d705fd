/** Writing a longer text: its buttons, its lists, and who and what is named in it. */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** What is used of a text area in the page. */
interface Field {
  readonly value: string
  focus(): void
  setSelectionRange(from: number, to: number): void
}

describeInBrowser('writing Markdown', () => {
  const here = browsing()
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.on(here().world)
  })

  /** The field for a comment on a new card, with its tools. */
  const open = async (looks = {}): Promise<{ page: Page; area: Locator; card: { id: string; ref: string } }> => {
    const card = await here().world.ok('get_card', { card_id: await scene.workableCard({ description: 'Some words' }) })
    const page = await here().open(`/b/${card.ref.split('-')[0]}/cards/${card.ref}`, looks)
    const area = page.getByRole('textbox', { name: 'Write a comment' })
    await area.focus()
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    return { page, area, card }
  }

  const select = (area: Locator, word: string) =>
    area.evaluate((field: Field, chosen) => {
      const from = field.value.indexOf(chosen)
      field.focus()
      field.setSelectionRange(from, from + chosen.length)
    }, word)

  test.each([
    ['Bold', '**word**'],
    ['Italic', '_word_'],
    ['Code', '`word`'],
    ['Link', '[word](url)'],
    ['List', '- word'],
    ['Numbered list', '1. word'],
    ['Task list', '- [ ] word'],
    ['Quote', '> word'],
  ])('the button %s writes %s', async (label, written) => {
    const { page, area } = await open()
    await area.fill('word')
    await select(area, 'word')
    await page.getByRole('button', { name: label, exact: true }).click()
    await expect.poll(async () => (await area.inputValue()).trim()).toBe(written)
  })

  test('keys do the same, and what they wrote is taken back and sent', async () => {
    const { page, area, card } = await open()
    await area.fill('strong words')
    await select(area, 'strong')
    await page.keyboard.press('Control+b')
    await expect.poll(() => area.inputValue()).toBe('**strong** words')
    await page.keyboard.press('Control+z')
    await expect.poll(() => area.inputValue()).toBe('strong words')
    await select(area, 'words')
    await page.keyboard.press('Control+i')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => area.inputValue()).toBe('')
    const { comments } = await here().world.ok('get_card', { card_id: card.id })
    expect(comments).toMatchObject([{ content: 'strong _words_' }])
  })

  test('Enter goes on in a list, and ends it', async () => {
    const { page, area } = await open()
    await area.pressSequentially('- one')
    await page.keyboard.press('Enter')
    await area.pressSequentially('two')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await area.pressSequentially('after')
    expect(await area.inputValue()).toBe('- one\n- two\nafter')
  })

  test('who is named after @ is chosen from the members of the board, by keys', async () => {
    const { world } = here()
    const grace = await world.agent({ name: 'Grace Hopper', handle: 'grace' })
    await scene.admit(grace)
    const { page, area } = await open()
    await area.pressSequentially('Ask @gr')
    const list = page.getByRole('listbox', { name: 'People and agents of this board' })
    await list.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    expect(await area.inputValue()).toBe('Ask @grace ')
  })

  test('a record is found by its words after #, and Escape closes the list alone', async () => {
    const { world } = here()
    const made = await world.ok('get_card', { card_id: await scene.workableCard({ title: 'Zebra crossing' }) })
    const { page, area } = await open()
    await area.pressSequentially('See #zebr')
    const option = page.getByRole('option', { name: 'Zebra crossing' })
    await option.waitFor()
    await page.keyboard.press('Escape')
    await option.waitFor({ state: 'detached' })
    expect(await area.inputValue()).toBe('See #zebr')
    await area.pressSequentially('a')
    await page.keyboard.press('Backspace')
    await area.fill('')
    await area.pressSequentially('#zebra')
    await option.click()
    await expect.poll(() => area.inputValue()).toBe(`${made.ref} `)
  })

  test.each(['light', 'dark'] as const)('the preview shows what it will look like, %s', async colorScheme => {
    const { page, area } = await open({ colorScheme })
    await area.fill('# Plan\n\n- [x] done')
    const preview = page.getByRole('button', { name: 'Preview' })
    await preview.click()
    await page.getByRole('heading', { name: 'Plan' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await preview.click()
    expect(await area.inputValue()).toBe('# Plan\n\n- [x] done')
  })

  test('a description has the same, a title has not', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Edit: Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await page.getByRole('toolbar', { name: 'Formatting' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    const area = page.getByRole('textbox', { name: 'What to do' })
    await select(area, 'words')
    await page.getByRole('toolbar', { name: 'Formatting' }).first().getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => area.inputValue()).toBe('Some **words**')
  })

  test.each([390, 1280])('suggestions stay in a window of %i px', async width => {
    const { page, area } = await open({ width })
    await area.pressSequentially(`${'long words before the name that is looked for, '.repeat(2)} @`)
    const list = page.getByRole('listbox', { name: 'People and agents of this board' })
    await list.waitFor()
    await expect
      .poll(async () => {
        const box = await list.boundingBox()
        return box !== null && box.x >= 0 && box.x + box.width <= width
      })
      .toBe(true)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })
})
