import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const sha = (digit: string) => digit.repeat(40)
const [a, b, c] = ['a', 'b', 'c'].map(sha) as [string, string, string]

const report = { conclusion: 'Done.', check: { how: 'by hand', result: 'passed' } }

type Told = Readonly<Record<string, unknown>>

/** A spec in progress with two scenarios, a sprint with both, a test card of the first, and a card without scenarios. */
async function tested(settings: Told = {}) {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, settings })
  const spec_id = await scene.specWithScenarios(2)
  const { ref } = await world.ok('get_spec', { spec_id })
  const test_card = await scene.testCard({ spec_id })
  const card_id = await scene.smallChange()
  const { ref: card_ref } = await world.ok('get_card', { card_id })
  const { id: sprint_id } = await world.ok('create_sprint', {
    board_id,
    spec_id,
    title: 'Sprint',
    test_scenario_ids: ['s1', 's2'],
  })
  const submit = (name: string, query: Told, lines: string) =>
    world.ok('submit_test_report', { board_id, name, ...query, files: [{ name: 'unit.tap', text: lines }] })
  return {
    scene,
    board_id,
    spec_id,
    sprint_id: sprint_id as string,
    test_card,
    card_id,
    ref: ref as string,
    card_ref: card_ref as string,
    submit,
    /** A run that a program of ours watched. */
    prove: async (of: Told, exit_code = 0) => {
      const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', ...of })
      return world.ok('finish_proof_run', { run_id: id, exit_code })
    },
    /** The proof of every record as the record, its lists and get_proof show it. */
    shown: async () => {
      const spec = await world.ok('get_spec', { spec_id })
      const listed = await world.ok('list_specs', { board_id })
      const cards = await world.ok('list_cards', { board_id })
      const board = await world.ok('get_board', { board_id })
      const ofCard = async (id: string) => ({
        whole: (await world.ok('get_card', { card_id: id })).proof,
        onBoard: board.cards.find((each: { id: string }) => each.id === id).proof,
        listed: cards.find((each: { id: string }) => each.id === id).proof,
        asked: await world.ok('get_proof', { entity_type: 'card', entity_id: id }),
      })
      return {
        spec: spec.proof,
        scenarios: spec.test_scenarios.map(({ proof }: { proof: unknown }) => proof),
        items: (await world.ok('list_spec_items', { spec_id, list: 'test_scenarios' })).map(
          ({ proof }: { proof: unknown }) => proof,
        ),
        specListed: listed.find(({ id }: { id: string }) => id === spec_id).proof,
        specAsked: await world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id }),
        sprint: (await world.ok('get_sprint', { sprint_id })).proof,
        sprintAsked: await world.ok('get_proof', { entity_type: 'sprint', entity_id: sprint_id }),
        test: await ofCard(test_card),
        card: await ofCard(card_id),
      }
    },
  }
}

type Shown = Awaited<ReturnType<Awaited<ReturnType<typeof tested>>['shown']>>

/** get_proof says the same, and more. */
function expectAgreement(proofs: Shown) {
  const agrees = (proof: unknown, answer: unknown) => expect(answer).toMatchObject(proof as object)
  agrees(proofs.spec, proofs.specAsked)
  agrees(proofs.sprint, proofs.sprintAsked)
  expect(proofs.specListed).toEqual(proofs.spec)
  expect(proofs.items).toEqual(proofs.scenarios)
  for (const { whole, onBoard, listed, asked } of [proofs.test, proofs.card]) {
    expect(onBoard).toEqual(whole)
    if (whole === null) expect(listed).toBeNull()
    else {
      const { status, tier, stale, flaky } = whole
      expect(listed).toEqual({ status, tier, stale, flaky })
      agrees(whole, asked)
    }
  }
}

describe('proof on records (evidence 7)', () => {
  test('is null where nothing but claims exists', async () => {
    const { shown, submit, spec_id, ref, card_ref } = await tested()
    const evidence = { last_run_at: '2026-01-02T03:04:05Z', test_run_id: 'run 7' }
    const result = await world.ok('record_scenario_result', { spec_id, scenario_id: 's1', status: 'passed', evidence })
    expect(result.proof).toBeNull()
    await submit('all', { for: `${card_ref},${ref}` }, `TAP version 14\nok 1 - ${ref}/s1\n1..1\n`)
    const { spec, scenarios, specListed, sprint, test: testCard, card } = await shown()
    expect([spec, ...scenarios, specListed, sprint]).toEqual([null, null, null, null, null])
    for (const each of [testCard, card]) expect([each.whole, each.onBoard, each.listed]).toEqual([null, null, null])
  })

  test('says what runs proved, the same everywhere', async () => {
    const { shown, prove, ref, card_ref, board_id, spec_id } = await tested()
    const run = await prove({ for: [`${ref}/s1`, card_ref] })
    const first = await shown()
    expectAgreement(first)
    expect(first.spec).toMatchObject({
      status: 'partial',
      tier: 'observed',
      tier_reason: 'run',
      run_id: run.id,
      scenarios: { total: 2, passed: 1, failed: 0, at_tier: 1 },
      waived: [],
      done_tier: null,
    })
    expect(first.scenarios).toMatchObject([{ status: 'proven', tier: 'observed', stale: false }, null])
    expect(first.sprint).toMatchObject({ status: 'partial', tier: 'observed' })
    expect(first.test.whole).toMatchObject({ status: 'proven', tier: 'observed', run_id: run.id })
    expect(first.card.whole).toMatchObject({ status: 'proven', tier: 'observed', scenarios: { total: 0 } })
    await prove({ for: [`${ref}/s2`] }, 1)
    const second = await shown()
    expectAgreement(second)
    expect(second.spec).toMatchObject({ status: 'failing', scenarios: { total: 2, passed: 1, failed: 1, at_tier: 2 } })
    expect(second.scenarios).toMatchObject([{ status: 'proven' }, { status: 'failing' }])
    expect(second.test.listed).toEqual({ status: 'proven', tier: 'observed', stale: false, flaky: false })
    const ready = await world.ok('list_ready_cards', { board_id })
    for (const card of ready) expect(card).toHaveProperty('proof')
    // Changing a scenario makes its earlier results outdated.
    const { test_scenarios } = await world.ok('get_spec', { spec_id })
    const changed = test_scenarios.map((each: Told) => ({ ...each, then: 'Another outcome' }))
    await world.ok('update_spec', { spec_id, test_scenarios: changed })
    const third = await shown()
    expectAgreement(third)
    expect(third.scenarios).toMatchObject(Array(2).fill({ status: 'below', tier: null }))
  })

  test('is shown where the board asks for more than words', async () => {
    const { shown } = await tested({ min_evidence_tier: 'ci' })
    const all = await shown()
    expectAgreement(all)
    expect(all.card.listed).toEqual({ status: 'none', tier: null, stale: false, flaky: false })
    expect([all.spec, all.sprint, ...all.scenarios]).toMatchObject(Array(4).fill({ status: 'none', tier: null }))
  })

  test('knows what newer commits make stale, and what later ones cover', async () => {
    const { shown, prove, board_id, ref, card_ref, test_card } = await tested()
    const { ref: test_ref } = await world.ok('get_card', { card_id: test_card })
    const url = 'https://github.com/acme/shop'
    const { id: repository_id } = await world.ok('create_repository', { board_id, url })
    const commit = (key: string, parents: string[], of: string) => ({
      sha: key,
      parents,
      subject: `Work on ${of}`,
      author_name: 'A',
      author_email: 'a@example.com',
      authored_at: '2026-11-20T08:00:00Z',
      committed_at: '2026-11-20T08:00:00Z',
    })
    const tell = (commits: object[], head: string) =>
      world.ok('record_changes', {
        board_id,
        repository_id,
        commits,
        branches: [{ name: 'main', head, is_default: true }],
      })
    await tell([commit(a, [], test_ref), commit(b, [a], card_ref)], b)
    await prove({ for: [`${ref}/s1`, card_ref], commit: a, repository_id })
    const first = await shown()
    expectAgreement(first)
    expect(first.test.whole).toMatchObject({ stale: false, newer: [] })
    expect(first.card.whole).toMatchObject({ stale: true, stale_reason: 'newer_commit', newer: [{ sha: b }] })
    expect(first.spec).toMatchObject({ stale: false })
    await tell([commit(c, [b], test_ref)], c)
    expect((await shown()).spec).toMatchObject({ stale: true, newer: [{ sha: c }] })
    await prove({ for: [`${ref}/s1`, card_ref], commit: c, repository_id })
    const last = await shown()
    expectAgreement(last)
    expect([last.test.listed, last.card.listed]).toMatchObject([{ stale: false }, { stale: false }])
  })

  test('keeps the tier that a card was done with until it is reopened', async () => {
    const { prove, card_id, card_ref, board_id, scene } = await tested()
    await world.ok('move_card', { card_id, target_status: 'started' })
    await prove({ for: [card_ref] })
    const done = await world.ok('move_card', { card_id, target_status: 'done', ...report })
    expect(done.proof).toMatchObject({ status: 'proven', tier: 'observed', done_tier: 'observed' })
    await world.ok('set_card_waiver', { card_id, gates: ['checks'], reason: 'Nobody runs checks here.' })
    expect((await world.ok('get_card', { card_id })).proof.waived).toEqual(['checks'])
    const reopened = await world.ok('move_card', { card_id, target_status: 'in_progress' })
    expect(reopened.proof).toMatchObject({ tier: 'observed', done_tier: null, waived: [] })
    // A card that nobody proved has no proof.
    const other = await scene.smallChange()
    await world.ok('move_card', { card_id: other, target_status: 'started' })
    await world.ok('move_card', { card_id: other, target_status: 'done', ...report })
    expect((await world.ok('get_proof', { entity_type: 'card', entity_id: other })).done_tier).toBeNull()
    expect(board_id).toBe(scene.boardId)
  })

  test('lists judge a scenario again when anything that it was judged by changes', async () => {
    const { shown, prove, board_id, spec_id, test_card, ref } = await tested()
    const scenarioNow = async () => (await world.ok('get_spec', { spec_id })).test_scenarios[0]
    const agreed = async () => {
      const now = await shown()
      expectAgreement(now)
      return now.test.listed
    }
    await prove({ for: [`${ref}/s1`] })
    expect(await agreed()).toMatchObject({ status: 'proven', tier: 'observed', stale: false })
    await prove({ for: [`${ref}/s1`] }, 1)
    expect(await agreed()).toMatchObject({ status: 'failing' })
    await prove({ for: [`${ref}/s1`] })
    expect(await agreed()).toMatchObject({ status: 'proven' })
    const settings = (min_evidence_tier: string) =>
      world.ok('update_board', { board_id, settings: { min_evidence_tier } })
    await settings('ci')
    expect(await agreed()).toMatchObject({ status: 'below', tier: null })
    await settings('claimed')
    expect(await agreed()).toMatchObject({ status: 'proven' })
    await world.ok('set_scenario_tests', { spec_id, scenario_id: 's1', tests: ['another'] })
    expect(await agreed()).toMatchObject({ status: 'below', tier: null })
    expect(await scenarioNow()).toMatchObject({ status: 'passed' })
    await prove({ for: [`${ref}/s1`] })
    expect(await agreed()).toMatchObject({ status: 'proven', tier: 'observed' })
    const { ref: card } = await world.ok('get_card', { card_id: test_card })
    await world.ok('create_repository', { board_id, url: 'https://github.com/acme/listed' })
    await world.ok('record_changes', {
      board_id,
      repository_id: 'listed',
      commits: [{ sha: c, subject: `${card} more` }],
    })
    expect(await agreed()).toMatchObject({ status: 'proven', stale: true })
    const [change] = await world.ok('list_changes', { board_id, sha: c })
    await world.ok('unlink_change', { change_id: change.id, entity_type: 'card', entity_id: test_card })
    expect(await agreed()).toMatchObject({ status: 'proven', stale: false })
  })

  test('lists know the commit of a result that says the same again, until its repository is deleted', async () => {
    const { shown, board_id, spec_id } = await tested({ min_evidence_tier: 'observed' })
    const { id: repository_id } = await world.ok('create_repository', {
      board_id,
      url: 'https://github.com/acme/again',
    })
    const evidence = {
      test_file_path: 'a.ts',
      test_function: 'a',
      test_run_id: 'run 7',
      last_run_at: '2026-01-01T00:00:00.000Z',
    }
    const record = (commit: string) =>
      world.ok('record_scenario_result', { spec_id, scenario_id: 's1', status: 'passed', evidence, commit })
    for (const commit of [a, b, c]) {
      await record(commit)
      const now = await shown()
      expectAgreement(now)
      expect(now.specListed).toMatchObject({ commit, repository_id })
    }
    await world.ok('delete_repository', { repository_id })
    const now = await shown()
    expectAgreement(now)
    expect(now.specListed).toMatchObject({ commit: c, repository_id: null })
  })

  test('is ignored in what is sent', async () => {
    const { prove, ref, spec_id, shown } = await tested()
    await prove({ for: [`${ref}/s1`] })
    const { test_scenarios } = await world.ok('get_spec', { spec_id })
    const forged = test_scenarios.map((each: Told) => ({ ...each, proof: { status: 'proven', tier: 'person' } }))
    await world.ok('update_spec', { spec_id, test_scenarios: forged })
    expect((await shown()).scenarios).toMatchObject([{ tier: 'observed' }, null])
  })
})
