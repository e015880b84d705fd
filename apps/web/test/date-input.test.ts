import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'
import { tinyTargets } from './support/targets.ts'

/** The day of the calendar that has the focus, in the words that are read out. */
const focused = (page: Page) => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")')

const start = (page: Page, label = 'Starts') => page.getByRole('textbox', { name: label })

describeInBrowser('a date', () => {
  const here = browsing()
  let sprint_id: string
  let path: string

  beforeEach(async () => {
    const scene = await Scene.on(here().world)
    sprint_id = (await scene.sprint()).sprint_id
    path = `/b/${await scene.boardKey()}/sprints/${sprint_id}`
  })

  const chosen = async () => (await here().world.ok('get_sprint', { sprint_id })).start_date?.slice(0, 10) ?? null

  const setDates = (dates: Readonly<Record<string, string>>) =>
    here().world.ok('update_sprint', { sprint_id, ...dates })

  test.each([
    ['en-US', 'Starts', 'mm/dd/yyyy', '3/2/27', '03/02/2027'],
    ['en-GB', 'Starts', 'dd/mm/yyyy', '2/3/27', '02/03/2027'],
    ['de-DE', 'Beginn', 'TT.MM.JJJJ', '2.3.27', '02.03.2027'],
  ])('is typed as %s writes it', async (locale, label, pattern, typed, expected) => {
    const page = await here().open(path, { locale })
    const field = start(page, label)
    expect(await field.getAttribute('placeholder')).toBe(pattern)
    await field.fill(typed)
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe(expected)
    await expect.poll(chosen).toBe('2027-03-02')
    await page
      .getByRole('button', { name: `${label}:` })
      .first()
      .click()
    await expect.poll(() => field.inputValue()).toBe('')
    await expect.poll(chosen).toBeNull()
  })

  test.each([
    ['en-US', 'Starts', 'Sunday', 'Tuesday, March 2, 2027, selected'],
    ['de-DE', 'Beginn', 'Montag', 'Dienstag, 2. März 2027, ausgewählt'],
  ])('is chosen by keys in the calendar of %s', async (locale, label, firstWeekday, selected) => {
    await setDates({ start_date: '2027-03-02' })
    const page = await here().open(path, { locale })
    await start(page, label).press('ArrowDown')
    const calendar = page.getByRole('dialog', { name: label })
    await calendar.waitFor()
    await expect.poll(() => focused(page)).toBe(selected)
    expect(await calendar.locator('th').first().getAttribute('aria-label')).toBe(firstWeekday)
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('PageDown')
    await calendar.getByRole('grid', { name: /^April 2027$/ }).waitFor()
    for (const key of ['Shift+PageUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'Shift+PageDown', 'PageUp'])
      await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toBe(selected)
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'detached' })
    expect(await chosen()).toBe('2027-03-02')
    await page.keyboard.press('ArrowDown')
    await calendar.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await calendar.waitFor({ state: 'detached' })
    await expect.poll(chosen).toBe('2027-03-09')
    expect(await page.evaluate('document.activeElement.placeholder !== undefined')).toBe(true)
  })

  test('that is no day, or out of its range, is said below it, and stays as it was typed', async () => {
    await setDates({ end_date: '2021-03-02' })
    const page = await here().open(path)
    await start(page).fill('31/31/2026')
    await page.keyboard.press('Tab')
    await page
      .getByRole('alert')
      .getByText(/^Enter a date such as /)
      .waitFor()
    expect(await start(page).inputValue()).toBe('31/31/2026')
    expect(await start(page).getAttribute('aria-invalid')).toBe('true')
    expect(await seriousFindings(page)).toEqual([])
    await start(page).fill('3/3/2021')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Choose 03/02/2021 or earlier.').waitFor()
    expect(await chosen()).toBeNull()
    await page.getByRole('button', { name: 'Starts: calendar' }).click()
    const day = page.getByRole('dialog').getByRole('button', { name: 'Wednesday, March 3, 2021' })
    expect(await day.isDisabled()).toBe(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Monday, March 1, 2021' }).click()
    await expect.poll(chosen).toBe('2021-03-01')
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  test('has a calendar that fits a phone, in fingers, in the dark and from right to left', async () => {
    const page = await here().open(path, { ...phone, colorScheme: 'dark' })
    await page.evaluate('document.documentElement.dir = "rtl"')
    await page.locator('summary', { hasText: 'Properties' }).first().tap()
    await page.getByRole('button', { name: 'Starts: calendar' }).tap()
    const calendar = page.getByRole('dialog', { name: 'Starts' })
    await calendar.waitFor()
    const { x, width } = (await calendar.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(390)
    const small = await calendar
      .getByRole('button')
      .evaluateAll(buttons => buttons.filter(button => button.getBoundingClientRect().height < 44).length)
    expect(small).toBe(0)
    expect(await tinyTargets(page)).toEqual([])
    expect(await seriousFindings(page)).toEqual([])
    const [before, after] = [await focused(page), await page.keyboard.press('ArrowLeft').then(() => focused(page))]
    const dayIn = (label: string | null) => Date.parse((label ?? '').replace(/^Today, /, ''))
    expect(dayIn(after) - dayIn(before)).toBe(86_400_000)
  })
})
