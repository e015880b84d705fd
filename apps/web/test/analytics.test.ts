import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('analytics', () => {
  const here = browsing()

  const open = async (looks = {}) => {
    const scene = await Scene.on(here().world)
    await scene.workableCard()
    const key = await scene.boardKey()
    const page = await here().open(`/b/${key}/analytics`, looks)
    await page.getByRole('region', { name: 'From idea to done' }).waitFor()
    await page.getByRole('region', { name: 'What is holding work up' }).waitFor()
    return page
  }

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async colorScheme => {
    const page = await open({ colorScheme })
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a chart is shown as a table', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Show as a table: From idea to done' }).click()
    await page.getByRole('row', { name: 'Specs 1' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a range of dates stands in the address and counts', async () => {
    const page = await open()
    const key = new URL(page.url()).pathname.split('/')[2]
    await page.goto(`${here().url}/b/${key}/analytics?to=2020-01-01`)
    await page.getByRole('button', { name: 'Show as a table: From idea to done' }).click()
    await page.getByRole('row', { name: 'Specs 0' }).waitFor()
    await page.getByRole('button', { name: 'To: Jan 1, 2020' }).click()
    await page.getByRole('dialog', { name: 'To' }).waitFor()
    // One year ahead, with the keys of the calendar.
    await page.keyboard.press('Shift+PageDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'To: Jan 1, 2021' }).waitFor()
    expect(page.url()).toContain('to=2021-01-01')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'To: Jan 1, 2021' }).waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('to=')
  })

  test('figures are said as people say them, and lead to their records', async () => {
    const scene = await Scene.on(here().world)
    const key = await scene.boardKey()
    await here().world.ok('update_board', { board_id: scene.boardId, settings: { require_task_validation: false } })
    const spec_id = await scene.spec('in_progress', { title: 'Measured', acceptance_criteria: ['One', 'Two'] })
    const card_id = await scene.card({ spec_id, title: 'Done at once' })
    const report = { completeness: 100, completeness_justification: 'All', drift: 0, drift_justification: 'None' }
    await here().world.ok('move_card', { card_id, target_status: 'started' })
    await here().world.ok('move_card', { card_id, target_status: 'done', conclusion: 'Done', ...report })
    const page = await here().open(`/b/${key}/analytics`)
    await page.getByText('1 card completed', { exact: true }).waitFor()
    await page.getByText('< 1 min').first().waitFor()
    expect(await page.getByText(/\b0\.0 h/).count()).toBe(0)
    await page.getByRole('button', { name: 'Show as a table: Coverage' }).click()
    await page.getByRole('row', { name: /Measured 0 of 2 covered/ }).waitFor()
    await page.getByRole('link', { name: 'Measured' }).click()
    await page.getByRole('heading', { level: 1, name: /^Coverage of / }).waitFor()
    await page.getByText('0 of 2 covered').waitFor()
    await page.goBack()
    await page.getByRole('region', { name: 'From idea to done' }).getByRole('link', { name: 'Specs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Specs' }).waitFor()
  })

  /** A board with one card that is done and one that is not; its key, and the reference of the done one. */
  const worked = async () => {
    const scene = await Scene.on(here().world)
    await here().world.ok('update_board', { board_id: scene.boardId, settings: { require_task_validation: false } })
    const spec_id = await scene.spec('in_progress', { title: 'Measured' })
    const card_id = await scene.card({ spec_id, title: 'Done at once' })
    await scene.card({ spec_id: await scene.spec('in_progress', { title: 'Other' }), title: 'Not begun' })
    const report = { completeness: 100, completeness_justification: 'All', drift: 0, drift_justification: 'None' }
    await here().world.ok('move_card', { card_id, target_status: 'started' })
    await here().world.ok('move_card', { card_id, target_status: 'done', conclusion: 'Done', ...report })
    const { ref } = await here().world.ok('get_card', { card_id })
    return { key: await scene.boardKey(), ref: ref as string }
  }

  test('flow, time per card and burn-up are drawn, said as tables, and lead to their records', async () => {
    const { key, ref } = await worked()
    const page = await here().open(`/b/${key}/analytics`)
    const times = page.getByRole('region', { name: 'Time per card', exact: true })
    await times.getByText('85 % within 1 min').waitFor()
    const flow = page.getByRole('group', { name: 'Cumulative flow' })
    await flow.getByRole('link', { name: /: Done 1, .* Not started 1$/ }).waitFor()
    const burnUp = page.getByRole('region', { name: 'Burn-up', exact: true })
    await burnUp.getByText('1 of 2 cards done', { exact: true }).waitFor()
    const choice = burnUp.getByRole('combobox', { name: 'Burn-up of' })
    await choice.selectOption((await choice.getByRole('option', { name: 'Measured' }).getAttribute('value'))!)
    await burnUp.getByText('1 of 1 card done', { exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await times.getByRole('link', { name: new RegExp(`^${ref} Done at once`) }).click()
    await page.getByRole('heading', { level: 1, name: 'Done at once' }).waitFor()
  })

  test('a chart is saved as picture, drawing and file, each as it is shown', async () => {
    const { key } = await worked()
    const page = await here().open(`/b/${key}/analytics`)
    const save = async (as: string) => {
      await page.getByRole('button', { name: 'Save: Time per card' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: as }).click(),
      ])
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
    }
    const drawing = await save('Save as drawing (SVG)')
    expect(drawing.name).toBe('cycle-times.svg')
    const text = drawing.content.toString()
    expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/)
    expect(text).toContain('Time per card')
    expect(text).toMatch(/<circle [^>]*fill="rgb/)
    expect(text).not.toMatch(/href|class=|style=/)
    const picture = await save('Save as picture (PNG)')
    expect([picture.name, picture.content.subarray(1, 4).toString()]).toEqual(['cycle-times.png', 'PNG'])
    const file = await save('Save as CSV')
    expect(file.content.toString()).toMatch(/Card,Done,Time per card\r\n\S+ Done at once,.*,< 1 min\r\n$/)
  })

  test('periods are compared, each figure with what it is measured from', async () => {
    const { key } = await worked()
    const page = await here().open(`/b/${key}/analytics`)
    const compared = page.getByRole('region', { name: '30 days and the 30 before' }).first()
    await compared.getByRole('row', { name: 'Cards done 1 0 –' }).waitFor()
    await compared.getByRole('link', { name: 'Cards created' }).click()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    expect(page.url()).toContain('action=card_created')
  })

  test('arrow keys move through the marks of a chart, which are one stop of Tab', async () => {
    const { key } = await worked()
    const page = await here().open(`/b/${key}/analytics`)
    const flow = page.getByRole('group', { name: 'Cumulative flow' })
    await flow.waitFor()
    const marks = flow.getByRole('link')
    const count = await marks.count()
    expect(count).toBeGreaterThan(1)
    expect(await flow.locator('a[tabindex="0"]').count()).toBe(1)
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
    await marks.last().focus()
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe(await marks.nth(count - 2).getAttribute('aria-label'))
    await page.keyboard.press('End')
    expect(await focused()).toBe(await marks.last().getAttribute('aria-label'))
  })

  test('the figures leave as CSV', async () => {
    const page = await open()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
  })
})
