import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('spec coverage', () => {
  const here = browsing()
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.on(here().world)
  })

  /** The page of a spec with two scenarios, two criteria and two requirements. */
  const openCoverage = async (looks = {}) => {
    const spec_id = await scene.specWithScenarios(2, 'approved', {
      acceptance_criteria: ['It works', 'It lasts'],
      functional_requirements: ['Sign in', 'Sign out'],
      business_rules: [{ id: 'br1', title: 'Once', rule: 'Once', when: '', then: '' }],
    })
    const card = await here().world.ok('get_card', { card_id: await scene.card({ spec_id, title: 'Do it' }) })
    const { ref } = await here().world.ok('get_spec', { spec_id })
    const page = await here().open(`/b/${ref.split('-')[0]}/coverage/${ref}`, looks)
    const part = (name: string) => page.getByRole('region', { name }).filter({ has: page.locator('progress') })
    await part('Scenarios by card').getByText('0 of 2 covered').waitFor()
    return { page, part, card, specNow: () => here().world.ok('get_spec', { spec_id }) }
  }

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('a gap is closed by linking a card that counts, %s, %i wide', async (colorScheme, width) => {
    const { page, part, card, specNow } = await openCoverage({ colorScheme, width })
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('checkbox', { name: `Once: ${card.ref}` }).click()
    await part('Rules by card').getByText('1 of 1 covered').waitFor()
    expect((await specNow()).business_rules?.[0]?.linked_task_ids).toEqual([card.id])
    await page.getByRole('checkbox', { name: `Once: ${card.ref}` }).click()
    await part('Rules by card').getByText('0 of 1 covered').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })

  test('a scenario is covered by a test card alone, as its gate judges', async () => {
    const { page, part, card, specNow } = await openCoverage()
    const box = page.getByRole('checkbox', { name: `Works: ${card.ref}` }).first()
    await box.click()
    await part('Scenarios by card').getByText('None that counts').waitFor()
    await part('Scenarios by card').getByText('0 of 2 covered').waitFor()
    await page.getByRole('button', { name: 'New test card: Works' }).first().click()
    await page.getByRole('dialog').getByLabel('Title').fill('Try it')
    await page.getByRole('button', { name: 'Create' }).click()
    await part('Scenarios by card').getByText('1 of 2 covered').waitFor()
    const test = (await specNow()).cards.find(({ title }: { title: string }) => title === 'Try it')
    expect(test).toMatchObject({ card_type: 'test' })
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('tests of a scenario are edited beside how many they name, %s, %i wide', async (colorScheme, width) => {
    const { page, specNow } = await openCoverage({ colorScheme, width })
    const text = 'TAP version 14\nok 1 - signs in\nok 2 - signs out\n1..2\n'
    const report = { board_id: scene.boardId, name: `unit ${width}`, files: [{ name: 'unit.tap', text }] }
    await here().world.ok('submit_test_report', report)
    const tests = page.getByRole('region', { name: 'Tests of the scenarios' })
    await tests.getByRole('link', { name: `unit ${width}` }).waitFor()
    const first = tests.getByRole('listitem').first()
    const field = first.getByLabel('Add a test of Works')
    await field.fill('signs *')
    await first.getByText('Matches 2 tests of the newest report.').waitFor()
    await field.fill('signs in')
    await first.getByText('Matches 1 test of the newest report.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await field.press('Enter')
    await first.getByText('1 test', { exact: true }).waitFor()
    expect((await specNow()).test_scenarios?.[0]?.tests).toEqual(['signs in'])
    await field.fill('signs up')
    await field.press('Enter')
    await first.getByText('0 tests', { exact: true }).waitFor()
    await first.getByRole('button', { name: 'Remove signs up' }).click()
    await first.getByText('0 tests', { exact: true }).waitFor({ state: 'detached' })
    expect((await specNow()).test_scenarios?.[0]?.tests).toEqual(['signs in'])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })

  test('a requirement and a criterion are named where they are missed', async () => {
    const { page, part, specNow } = await openCoverage()
    const name = async (sentence: string, item: string) => {
      await page.getByRole('button', { name: `Name it: ${sentence}` }).click()
      await page.getByRole('option', { name: item }).first().click()
    }
    await name('Sign out', 'Once')
    await part('Requirements and the rules they lead to').getByText('1 of 2 covered').waitFor()
    await name('It lasts', 'Works')
    await part('Acceptance criteria and the scenarios that show them').getByText('1 of 2 covered').waitFor()
    const spec = await specNow()
    expect(spec.business_rules[0].linked_requirements).toEqual(['1'])
    expect(spec.test_scenarios[0].linked_criteria).toEqual(['1'])
    await name('Sign out', 'Once')
    await part('Requirements and the rules they lead to').getByText('0 of 2 covered').waitFor()
    expect((await specNow()).business_rules[0].linked_requirements).toEqual([])
  })
})
