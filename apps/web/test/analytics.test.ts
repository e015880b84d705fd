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
    await page.getByRole('textbox', { name: 'To' }).fill('2020-01-01')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show as a table: From idea to done' }).click()
    await page.getByRole('row', { name: 'Specs 0' }).waitFor()
    expect(page.url()).toContain('to=2020-01-01')
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
    await page.getByText('under a minute').first().waitFor()
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

  test('the figures leave as CSV', async () => {
    const page = await open()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
  })
})
