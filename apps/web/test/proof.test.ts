import { expect, test } from 'vitest'
import { forgeSecret, sendEvent, settled } from '../../cli/test/support/forge.ts'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const [base, sha] = ['a', 'b'].map(digit => digit.repeat(40)) as [string, string]

/** A pull request for a card, as GitHub reports it. */
const pull = (ref: string) => ({
  number: 12,
  state: 'open',
  title: `${ref}: sign in`,
  draft: false,
  merged: false,
  updated_at: new Date().toISOString(),
  head: { ref: 'work', sha, repo: { full_name: 'acme/shop' } },
  base: { ref: 'main', sha: base, repo: { full_name: 'acme/shop' } },
})

const check = (conclusion: string, second: number) => ({
  check_run: {
    name: 'unit tests',
    head_sha: sha,
    status: 'completed',
    conclusion,
    completed_at: new Date(Date.now() + second * 1_000).toISOString(),
  },
})

describeInBrowser('proof', () => {
  const here = browsing()

  /** A board that asks for observed proof, with a test card of a scenario, and a repository. */
  const setup = async (title = 'Sign in with a password') => {
    const { world } = here()
    const scene = await Scene.on(world)
    const { boardId: board_id } = scene
    await world.ok('update_board', { board_id, settings: { min_evidence_tier: 'observed' } })
    const spec_id = await scene.specWithScenarios(1, 'in_progress')
    const card_id = await scene.testCard({ spec_id, title })
    const { ref } = await world.ok('get_card', { card_id })
    const { ref: spec } = await world.ok('get_spec', { spec_id })
    const { id: repository_id } = await world.ok('create_repository', {
      board_id,
      url: 'https://github.com/acme/shop',
      webhook_secret: forgeSecret,
    })
    const tell = async (event: string, payload: object) => {
      await sendEvent(world, repository_id, { event, payload })
      await settled(world, repository_id)
    }
    return { world, board_id, card_id, ref, spec, tell, key: await scene.boardKey() }
  }

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('from a failed check to the proof line, %s, %i wide', async (colorScheme, width) => {
    const title = `Sign in, ${colorScheme}`
    const { world, board_id, card_id, ref, spec, tell, key } = await setup(title)
    await world.ok('claim_card', { card_id })
    await tell('pull_request', { action: 'opened', pull_request: pull(ref) })
    await tell('check_run', check('failure', 0))
    // The failed check waits in the inbox, and leads to the card.
    const page = await here().open('/', { colorScheme, width })
    const entry = page.getByRole('link', { name: title }).first()
    await entry.waitFor()
    await page.getByText('Failed checks').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await entry.click()
    await page.getByText('unit tests').first().waitFor()
    const proof = page.getByRole('region', { name: 'Proof' })
    await proof.getByText('0 of 1').waitFor()
    // The fix is tested: the check passes, and the pipeline says which scenario it proves.
    await tell('check_run', check('success', 5))
    const pipeline = await world.agent({ kind: 'ci' })
    await world.ok('grant_board_access', { agent_id: pipeline.id, board_id })
    const text = `TAP version 14\nok 1 - ${spec}/s1 signs in\n1..1\n`
    const report = { board_id, commit: sha, branch: 'work', files: [{ name: 'unit.tap', text }] }
    await world.ok('submit_test_report', report, { as: pipeline })
    await proof.getByText('1 of 1').waitFor()
    await proof.getByText(sha.slice(0, 7)).waitFor()
    await page.getByText('1 check passes').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    // The coverage of its spec shows the same.
    await page.goto(page.url().replace(/\/b\/.*$/, `/b/${key}/coverage/${spec}`))
    await page.getByRole('columnheader', { name: 'Proof' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    // Its page counts its cards by the state of their changes, and leads to them.
    await page.goto(page.url().replace(/\/coverage\/.*$/, `/specs/${spec}`))
    if (width < 600) await page.locator('summary', { hasText: 'Properties' }).first().click()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('1 open').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await changes.getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('link', { name: title }).first().waitFor()
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'failing tests open in place, and the gate is waived with a reason, %s, %i wide',
    async (colorScheme, width) => {
      const { world, board_id, card_id, ref, spec, key } = await setup(`Waived, ${colorScheme}`)
      const pipeline = await world.agent({ kind: 'ci' })
      await world.ok('grant_board_access', { agent_id: pipeline.id, board_id })
      const text = `TAP version 14\nnot ok 1 - ${spec}/s1 signs in\n  ---\n  message: "no such user"\n  ...\n1..1\n`
      const report = { board_id, commit: sha, branch: 'main', files: [{ name: 'unit.tap', text }] }
      await world.ok('submit_test_report', report, { as: pipeline })
      const page = await here().open(`/b/${key}/cards/${ref}`, { colorScheme, width })
      const proof = page.getByRole('region', { name: 'Proof' })
      await proof.getByRole('button', { name: 'Works', exact: true }).click()
      await proof.getByRole('list', { name: 'Failing tests' }).getByText(`${spec}/s1 signs in`).waitFor()
      await proof.getByText('no such user').first().waitFor()
      expect(await seriousFindings(page)).toEqual([])
      await proof.getByRole('button', { name: 'Waive…' }).click()
      const dialog = page.getByRole('dialog', { name: `Waive gates of ${ref}` })
      await dialog.getByLabel('Reason').fill('The provider is down this week.')
      expect(await seriousFindings(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Waive', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await proof.getByText('waived proof: The provider is down this week.').waitFor()
      const { waiver } = await world.ok('get_proof', { entity_type: 'card', entity_id: card_id })
      expect(waiver).toMatchObject({ gates: ['proof'], by: world.owner.id })
      await proof.getByRole('button', { name: 'Take the waiver back' }).click()
      await proof.getByRole('button', { name: 'Waive…' }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    },
  )

  test('a vanished commit is struck, and a newer one is named beside the proof (git 3, evidence 7)', async () => {
    const { world, board_id, ref, spec, key } = await setup('Rewritten')
    const record = (more: object) => world.ok('record_changes', { board_id, repository_id: 'shop', ...more })
    const commitOf = (hash: string, subject: string, branch: string) => ({
      sha: hash,
      parents: [],
      subject: `${ref} ${subject}`,
      committed_at: new Date().toISOString(),
      branch,
    })
    const vanishedSha = 'c'.repeat(40)
    await record({
      commits: [commitOf(sha, 'kept', 'work'), commitOf(vanishedSha, 'thrown away', 'gone')],
      branches: [
        { name: 'work', head: sha },
        { name: 'gone', head: vanishedSha },
      ],
    })
    await record({ vanished: [vanishedSha], branches: [{ name: 'gone', deleted: true }] })
    const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', for: [`${spec}/s1`] })
    await world.ok('finish_proof_run', { run_id: id, exit_code: 0 })
    const page = await here().open(`/b/${key}/cards/${ref}`)
    await page.getByRole('region', { name: 'Proof' }).getByText('Not tested since: ').waitFor()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('2 commits, 1 gone').click()
    await changes.getByText(`${ref} kept`).waitFor()
    expect(await changes.locator('s').allTextContents()).toEqual([`${ref} thrown away`])
    const outside = await changes
      .locator('a[target=_blank]')
      .evaluateAll(all => all.map(link => link.getAttribute('rel')))
    expect(new Set(outside)).toEqual(new Set(['noopener noreferrer']))
    expect(await seriousFindings(page)).toEqual([])
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('a card whose only commit is gone shows it at once, %s, %i wide (git 3)', async (colorScheme, width) => {
    const { world, board_id, ref, key } = await setup(`Thrown away, ${colorScheme}`)
    const record = (more: object) => world.ok('record_changes', { board_id, repository_id: 'shop', ...more })
    const commits = [{ sha, parents: [], subject: `${ref} tried`, branch: 'gone' }]
    await record({ commits, branches: [{ name: 'gone', head: sha }] })
    await record({ vanished: [sha], branches: [{ name: 'gone', deleted: true }] })
    const page = await here().open(`/b/${key}/cards/${ref}`, { colorScheme, width })
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('1 commit, 1 gone').waitFor()
    await changes.locator('s').waitFor()
    expect(await changes.locator('s').allTextContents()).toEqual([`${ref} tried`])
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'who says what of a scenario is told by tier, %s, %i wide (evidence 7, 13)',
    async (colorScheme, width) => {
      const { world, board_id, card_id, ref, spec, key } = await setup(`Contradicted, ${colorScheme}`)
      const prove = async (exit_code: number) => {
        const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', for: [`${spec}/s1`] })
        await world.ok('finish_proof_run', { run_id: id, exit_code })
      }
      const pipeline = await world.agent({ kind: 'ci' })
      await world.ok('grant_board_access', { agent_id: pipeline.id, board_id })
      const text = `TAP version 14\nok 1 - ${spec}/s1 signs in\n1..1\n`
      const report = { board_id, commit: sha, branch: 'main', files: [{ name: 'unit.tap', text }] }
      await world.ok('submit_test_report', report, { as: pipeline })
      await prove(1)
      const { items } = await world.ok('get_proof', { entity_type: 'card', entity_id: card_id })
      expect(items).toMatchObject([{ ok: false, problem: 'failed' }])
      // A watched run is enough here and is newer: it decides, although CI says otherwise.
      const page = await here().open(`/b/${key}/cards/${ref}`, { colorScheme, width })
      const proof = page.getByRole('region', { name: 'Proof' })
      await proof.getByText('0 of 1').waitFor()
      await proof.getByText('Failed in a watched run').waitFor()
      await proof.getByText('CI says otherwise').waitFor()
      await proof.getByRole('button', { name: 'Works', exact: true }).click()
      const results = proof.getByRole('list', { name: 'Who says what' })
      await expect
        .poll(async () => (await results.getByRole('listitem').allTextContents()).map(says => says.slice(0, 6)))
        .toEqual([`CI${sha.slice(0, 4)}`, 'Failed'])
      expect(await seriousFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await prove(0)
      await proof.getByText('1 of 1').waitFor()
      await proof.getByText('CI says otherwise').waitFor({ state: 'detached' })
    },
  )

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'the inbox says which check, scenario and repository it is about, %s, %i wide',
    async (colorScheme, width) => {
      const { world, board_id, card_id, ref, spec, tell } = await setup(`Waiting, ${colorScheme}`)
      await world.ok('claim_card', { card_id })
      await tell('pull_request', { action: 'opened', pull_request: pull(ref) })
      const { check_run } = check('failure', 0)
      const html_url = 'https://github.com/acme/shop/runs/1'
      await tell('check_run', { check_run: { ...check_run, html_url } })
      const pipeline = await world.agent({ kind: 'ci' })
      await world.ok('grant_board_access', { agent_id: pipeline.id, board_id })
      const text = `TAP version 14\nnot ok 1 - ${spec}/s1 signs in\n  ---\n  message: "no such user"\n  ...\n1..1\n`
      const report = { board_id, commit: sha, branch: 'work', files: [{ name: 'unit.tap', text }] }
      await world.ok('submit_test_report', report, { as: pipeline })
      const [repository] = await world.ok('list_repositories', { board_id })
      for (let count = 0; count < 5; count++)
        await sendEvent(world, repository.id, { event: 'push', payload: {}, secret: 'another secret' })
      const openedItem = async (kind: string) => {
        const { items } = await world.ok('list_my_inbox', { board_id, kind })
        return here().open(`/i/${encodeURIComponent(items[0].id)}`, { colorScheme, width })
      }
      const checks = await openedItem('checks_failed')
      const missing = checks.getByRole('list', { name: 'What is missing' })
      const link = missing.getByRole('link', { name: 'unit tests (failing)' })
      expect(await link.getAttribute('href')).toBe(html_url)
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
      expect(await seriousFindings(checks)).toEqual([])
      const scenario = await openedItem('scenario_failed')
      await scenario.getByText('Failed in CI').first().waitFor()
      await scenario.getByRole('list', { name: 'Failing tests' }).getByText('no such user').waitFor()
      expect(await seriousFindings(scenario)).toEqual([])
      expect(await scenario.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const refused = await openedItem('forge_refused')
      await refused.getByText('5 events with a bad signature').waitFor()
      await refused.getByRole('link', { name: 'Open', exact: true }).click()
      await refused.getByRole('button', { name: 'Connect a repository' }).waitFor()
    },
  )

  test('checks that run are counted apart, and a branch that was deleted says so', async () => {
    const { world, board_id, card_id, ref, tell, key } = await setup('Checked')
    const named = (name: string, status: string, conclusion: string | null) => ({
      check_run: { name, head_sha: sha, status, conclusion, completed_at: new Date().toISOString() },
    })
    await tell('pull_request', { action: 'opened', pull_request: pull(ref) })
    await tell('check_run', named('lint', 'completed', 'success'))
    await tell('check_run', named('unit', 'in_progress', null))
    const [first, name] = ['first-try', 'again'].map(word => `${ref.toLowerCase()}-${word}`)
    const branches = [first, name].map(branch => ({ name: branch, head: base }))
    await world.ok('record_changes', { board_id, repository_id: 'shop', branches })
    await world.ok('record_changes', { board_id, repository_id: 'shop', branches: [{ name: first, deleted: true }] })
    const { changes: cardChanges } = await world.ok('get_card', { card_id })
    expect(cardChanges.branches.map(({ state }: { state: string }) => state).toSorted()).toEqual(['deleted', 'open'])
    const page = await here().open(`/b/${key}/cards/${ref}`)
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('1 check runs').waitFor()
    await changes.getByText('1 check passes').waitFor()
    await changes.getByRole('button', { name: `Copy ${name}` }).waitFor()
    await changes.getByText('Deleted').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('nothing of it is shown where nobody tells more than words', async () => {
    const { scene, world } = { world: here().world, scene: await Scene.on(here().world) }
    const spec_id = await scene.specWithScenarios()
    const { ref } = await world.ok('get_spec', { spec_id })
    const page = await here().open(`/b/${await scene.boardKey()}/coverage/${ref}`)
    await page.getByRole('region', { name: 'Scenarios by card' }).first().waitFor()
    expect(await page.getByRole('columnheader', { name: 'Proof' }).count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Tests of the scenarios' }).count()).toBe(0)
  })

  test('the share of what was proven, week by week', async () => {
    const { world, board_id, card_id, ref, key, spec } = await setup()
    const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', for: [`${spec}/s1`] })
    await world.ok('finish_proof_run', { run_id: id, exit_code: 0 })
    const whole = { completeness: 100, completeness_justification: 'All.', drift: 0, drift_justification: 'None.' }
    await world.ok('update_board', { board_id, settings: { require_task_validation: false } })
    await world.ok('move_card', { card_id, target_status: 'done', conclusion: 'Done.', ...whole })
    expect((await world.ok('get_card', { card_id })).ref).toBe(ref)
    const page = await here().open(`/b/${key}/analytics`)
    const figure = page.getByRole('region', { name: 'Done, by proof' })
    await figure.getByText('0 % by CI or a person, 100 % by a watched run').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Show as a table: Done, by proof' }).click()
    await figure.getByRole('row', { name: / 1 0 % 0 % 100 % 0 % 0 %$/ }).waitFor()
  })
})
