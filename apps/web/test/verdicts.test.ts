import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'
import { sendAtOnce } from './support/held.ts'

describeInBrowser('a verdict stands beside what it judges', () => {
  const here = browsing()
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.on(here().world)
  })

  const entry = async (title: string, looks = {}) => {
    const page = await here().open('/', looks)
    await page
      .getByRole('button', { name: new RegExp(title) })
      .first()
      .click()
    return { page, item: page.getByRole('article').filter({ hasText: title }) }
  }

  test.each([
    ['a wide screen', {}],
    ['a phone', phone],
  ] as const)('of a card, on %s', async (where, looks) => {
    const { world } = here()
    // Nobody judges their own work.
    const worker = await world.agent()
    await scene.admit(worker)
    const title = `Judged on ${where}`
    const spec_id = await scene.spec('in_progress', {
      acceptance_criteria: ['It is seen to work'],
      test_scenarios: [{ id: 's1', title: 'Seen working', then: 'it works', linked_criteria: ['0'] }],
    })
    const card_id = await scene.card({ title, spec_id })
    const report = {
      conclusion: 'Built as asked',
      completeness: 100,
      completeness_justification: 'All of it',
      drift: 0,
      drift_justification: 'None',
    }
    await world.ok('record_scenario_result', { spec_id, scenario_id: 's1', status: 'ready', evidence: null })
    for (const target_status of ['started', 'in_progress'])
      await world.ok('move_card', { card_id, target_status }, { as: worker })
    await world.ok('move_card', { card_id, target_status: 'validation', ...report }, { as: worker })
    const { page, item } = await entry(title, looks)
    // If there is room, the verdict is next to what it judges.
    if (looks === phone) await item.getByRole('button', { name: 'Validate' }).click()
    const dialog = looks === phone ? page.getByRole('dialog') : item
    await dialog.getByText('Built as asked').waitFor()
    await dialog.getByText('It is seen to work').first().waitFor()
    await dialog.getByText('Seen working').first().waitFor()
    await dialog.getByText('Approve it if it does what it should').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'With scores' }).click()
    await dialog.getByText('It passes with a confidence of at least 70').waitFor()
    await dialog.getByLabel('What you looked at and what you found').fill('Not yet')
    for (const why of await dialog.getByLabel('Why').all()) await why.fill('Too little')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.waitFor({ state: 'detached' })
    await sendAtOnce(page)
    const { validations } = await world.ok('get_card', { card_id })
    expect(validations).toMatchObject([{ outcome: 'failed', summary: 'Not yet' }])
  })

  test('of a spec that waits to be approved', async () => {
    const { world } = here()
    const spec_id = await scene.spec('review', {
      title: 'Needs review',
      description: 'Guests keep their basket',
      functional_requirements: ['The basket outlives the session'],
    })
    const { page, item } = await entry('Needs review')
    await item.getByRole('button', { name: 'Review…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review the spec' })
    await dialog.getByText('Guests keep their basket').waitFor()
    await dialog.getByText('The basket outlives the session').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await sendAtOnce(page)
    expect((await world.ok('get_spec', { spec_id })).status).toBe('approved')
    await item.getByRole('button', { name: 'Review…' }).waitFor({ state: 'detached' })
  })

  test('of a spec that is validated, with what it must reach', async () => {
    await here().world.ok('update_board', { board_id: scene.boardId, settings: { require_spec_validation: true } })
    await scene.spec('approved', { title: 'To be validated', acceptance_criteria: ['It says when it is done'] })
    const { page, item } = await entry('To be validated')
    await item.getByRole('button', { name: 'Validate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Validate the spec' })
    await dialog.getByText('It says when it is done').waitFor()
    await dialog.getByText('It passes with a completeness of at least 80').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })
})
