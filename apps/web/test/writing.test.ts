/** Writing a longer text: its buttons, its lists, and the people and records that it mentions. */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** The members of a text area that are used in the page. */
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
  ])('the button %s writes %s', async (label, expected) => {
    const { page, area } = await open()
    await area.fill('word')
    await select(area, 'word')
    await page.getByRole('button', { name: label, exact: true }).click()
    await expect.poll(async () => (await area.inputValue()).trim()).toBe(expected)
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
    const card = await world.ok('get_card', { card_id: await scene.workableCard({ title: 'Zebra crossing' }) })
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
    await expect.poll(() => area.inputValue()).toBe(`${card.ref} `)
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

  /** Puts a file into a field as a paste or a drop does. */
  const insertFile = (area: Locator, gesture: 'paste' | 'drop', file: { name: string; type: string; base64: string }) =>
    area.page().evaluate(`(() => {
      const { name, type, base64 } = ${JSON.stringify(file)}
      const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], name, { type }))
      const event = ${gesture === 'paste'}
        ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(event)
    })()`)

  const pixel = {
    name: 'a [pixel].png',
    type: 'image/png',
    base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  }

  /** Holds up the uploads of a page until they are released. */
  const holdUploads = async (page: Page): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/v1/attachments/*/*', async route => {
      await promise
      await route.continue()
    })
    return resolve
  }

  test.each(['paste', 'drop'] as const)(
    'a picture is attached by %s, stands in the text, and opens large',
    async how => {
      const { page, area, card } = await open()
      const release = await holdUploads(page)
      await area.fill('Look: ')
      await insertFile(area, how, pixel)
      await expect.poll(() => area.inputValue()).toBe('Look: ![Uploading a  pixel .png…]()')
      await area.press('End')
      await area.pressSequentially(' and more')
      // A text with unfinished uploads is not sent.
      await page.keyboard.press('Control+Enter')
      expect(await area.evaluate((field: { readonly validationMessage: string }) => field.validationMessage)).toBe(
        'Wait until the files are uploaded.',
      )
      release()
      await expect
        .poll(() => area.inputValue())
        .toMatch(/^Look: !\[a {2}pixel \.png]\(\/api\/v1\/attachments\/[\w-]+\/[\w-]+\/[\w-]+\) and more$/)
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => area.inputValue()).toBe('')
      const { attachments } = await here().world.ok('get_card', { card_id: card.id })
      expect(attachments).toMatchObject([{ original_filename: 'a [pixel].png', mime_type: 'image/png' }])
      const picture = page.locator('.markdown').getByRole('link', { name: 'a pixel .png' })
      // The picture is loaded once it is in view; the files of the card, which arrive meanwhile, may push it out of
      // view.
      const scrolled = async () => {
        await picture.evaluate((link: { scrollIntoView(): void }) => link.scrollIntoView())
        return picture.locator('img[src^="blob:"]').isVisible()
      }
      await expect.poll(scrolled).toBe(true)
      expect(await seriousFindings(page)).toEqual([])
      await picture.focus()
      await page.keyboard.press('Enter')
      const large = page.getByRole('dialog', { name: 'a pixel .png' })
      await large.getByRole('img', { name: 'a pixel .png' }).waitFor()
      await page.keyboard.press('Escape')
      await large.waitFor({ state: 'detached' })
      expect(page.url()).toContain(card.ref)
    },
  )

  test('another file is a link that saves it', async () => {
    const { page, area } = await open()
    await insertFile(area, 'paste', { name: 'notes.txt', type: 'text/plain', base64: 'aGVsbG8=' })
    await expect.poll(() => area.inputValue()).toMatch(/^\[notes\.txt]\(\/api\//)
    await page.keyboard.press('Control+Enter')
    const saved = page.waitForEvent('download')
    await page.locator('.markdown').getByRole('link', { name: 'notes.txt' }).click()
    expect((await saved).suggestedFilename()).toBe('notes.txt')
    expect(new URL(page.url()).pathname).toMatch(/^\/b\//)
  })

  test('a refused file is told, and takes nothing but its place away', async () => {
    const { page, area } = await open()
    await page.route('**/api/v1/attachments/*/*', route =>
      route.fulfill({
        status: 413,
        json: { detail: { error: 'PAYLOAD_TOO_LARGE', message: 'The file is too large.', max_bytes: 1 } },
      }),
    )
    await area.fill('Kept ')
    await insertFile(area, 'paste', pixel)
    await page.getByRole('alert').getByText('The file is too large.').waitFor()
    expect(await area.inputValue()).toBe('Kept ')
  })

  test('a file is chosen by a button, and a draft does not keep a place for what was cut off', async () => {
    const { page, area } = await open()
    await holdUploads(page)
    await area.fill('Kept ')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach a picture or file' }).click()
    await (await choosing).setFiles({ name: 'one.png', mimeType: 'image/png', buffer: Buffer.from('none') })
    await expect.poll(() => area.inputValue()).toBe('Kept ![Uploading one.png…]()')
    await page.reload()
    await expect.poll(() => page.getByRole('textbox', { name: 'Write a comment' }).inputValue()).toBe('Kept ')
  })

  test('an attachment that is no picture is not drawn as one', async () => {
    const { world } = here()
    const card_id = await scene.workableCard({})
    const { attachment_id, board_id } = await scene.attachment(card_id)
    const address = `/api/v1/attachments/${board_id}/${card_id}/${attachment_id}`
    await world.ok('update_card', { card_id, description: `![not a picture](${address})` })
    const { ref } = await world.ok('get_card', { card_id })
    const page = await here().open(`/b/${ref.split('-')[0]}/cards/${ref}`)
    await page.locator('.markdown').getByText('not a picture', { exact: true }).waitFor()
    expect(await page.locator('.markdown img').count()).toBe(0)
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
