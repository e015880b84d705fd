import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('proof', () => {
  const here = browsing()

  /** A board that asks for observed proof, with a test card of a scenario. */
  const begun = async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const { boardId: board_id } = scene
    await world.ok('update_board', { board_id, settings: { min_evidence_tier: 'observed' } })
    const spec_id = await scene.specWithScenarios(1, 'in_progress')
    const card_id = await scene.testCard({ spec_id, title: 'Sign in with a password' })
    const { ref } = await world.ok('get_card', { card_id })
    const { ref: spec } = await world.ok('get_spec', { spec_id })
    return { world, board_id, card_id, ref, spec, key: await scene.boardKey() }
  }

  test('nothing of it is shown where nobody tells more than words', async () => {
    const { scene, world } = { world: here().world, scene: await Scene.on(here().world) }
    const spec_id = await scene.specWithScenarios()
    const { ref } = await world.ok('get_spec', { spec_id })
    const page = await here().open(`/b/${await scene.boardKey()}/coverage/${ref}`)
    await page.getByRole('region', { name: 'Scenarios by card' }).first().waitFor()
    expect(await page.getByRole('columnheader', { name: 'Proof' }).count()).toBe(0)
  })

  test('the share of what was proven, week by week', async () => {
    const { world, board_id, card_id, ref, key, spec } = await begun()
    const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', for: [`${spec}/s1`] })
    await world.ok('finish_proof_run', { run_id: id, exit_code: 0 })
    const whole = { completeness: 100, completeness_justification: 'All.', drift: 0, drift_justification: 'None.' }
    await world.ok('update_board', { board_id, settings: { require_task_validation: false } })
    await world.ok('move_card', { card_id, target_status: 'done', conclusion: 'Done.', ...whole })
    expect((await world.ok('get_card', { card_id })).ref).toBe(ref)
    const page = await here().open(`/b/${key}/analytics`)
    const figure = page.getByRole('region', { name: 'Done, by who proved it' })
    await figure.getByText('0 % by CI or a person, 100 % by a run that was watched').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Show as a table: Done, by who proved it' }).click()
    await figure.getByRole('row', { name: / 1 0 % 0 % 100 % 0 % 0 %$/ }).waitFor()
  })
})
