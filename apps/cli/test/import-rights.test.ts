import { permissionNames } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'
import { changedArchive, linesOf, zipEntries, zipOf } from './support/zip-entries.ts'

/** What a key may do that has only the permission to import (walls 5). */
let world: World
/** An agent with BOARDS_IMPORT, the permissions to read boards, and no others. */
let importer: TestAgent

beforeAll(async () => {
  world = await World.start()
  const allowed = new Set(['BOARDS', 'BOARDS_IMPORT', 'BOARDS_READ'])
  importer = await world.agent({
    permission_flags: Object.fromEntries(permissionNames.map(name => [name, allowed.has(name)])),
  })
})

afterAll(() => world.stop())

async function shared(): Promise<Scene> {
  const scene = await Scene.on(world)
  await scene.admit(importer)
  return scene
}

const table = (...rows: readonly string[]) => new File([`id,title,status\n${rows.join('\n')}\n`], 'plan.csv')
const zip = (bytes: Buffer) => new File([bytes], 'board.zip', { type: 'application/zip' })

const importing = async (board_id: string, file: File, as: TestAgent = importer, query: object = {}) =>
  world.ok('import_board', { board_id, file, ...query }, { as })

const eventsOf = async (board_id: string) => (await world.ok('list_board_events', { board_id, limit: 200 })).events

/** An evaluation of a spec that passes every gate. */
const approval = ({ id: spec_id, created_at }: { readonly id: string; readonly created_at: string }) => {
  const dimension = { score: 100, justification: 'Fine' }
  return {
    id: '00000000-0000-4000-8000-000000000001',
    spec_id,
    evaluator_id: world.owner.id,
    evaluator_name: 'Owner',
    evaluator_type: 'agent',
    dimensions: {
      breakdown_completeness: dimension,
      granularity: dimension,
      dependency_coherence: dimension,
      test_coverage_quality: dimension,
    },
    overall_score: 100,
    overall_justification: 'Fine',
    recommendation: 'approve',
    stale: false,
    created_at,
  }
}

describe('a later import of a key that may import alone', () => {
  test('changes no field, and tells each with what is missing', async () => {
    const { boardId } = await shared()
    await importing(boardId, table('1,One,todo'))
    const { updated, problems } = await importing(boardId, table('1,Other,todo'))
    expect([updated, problems.map(({ reason }: { reason: string }) => reason)]).toEqual([
      {},
      [expect.stringMatching(/^Stays as it is here: title \(CARDS_\w+ is missing\)$/)],
    ])
    const [card] = await world.ok('list_cards', { board_id: boardId })
    expect(card.title).toBe('One')
  })

  test('changes what its caller may change by the operation, told in an event with before and after', async () => {
    const { boardId } = await shared()
    await importing(boardId, table('1,One,todo'))
    const { updated } = await importing(boardId, table('1,Other,todo'), world.owner)
    expect(updated).toEqual({ card: 1 })
    const entries = await eventsOf(boardId)
    expect(entries.map(({ changes }: { changes: unknown }) => changes)).toContainEqual([
      { field: 'title', old: 'One', new: 'Other' },
    ])
  })

  test('changes no text of a card that another agent has claimed, unless its caller may change the board', async () => {
    const scene = await shared()
    const board_id = scene.boardId
    await importing(board_id, table('1,Fix,open'), world.owner)
    const [{ id: card_id }] = await world.ok('list_cards', { board_id })
    const mate = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
    const holder = await world.agent()
    for (const agent of [mate, holder]) await scene.admit(agent)
    await world.ok('claim_card', { card_id }, { as: holder })
    const refused = await importing(board_id, table('1,Mend,open'), mate)
    expect(refused).toMatchObject({
      sums: { changed: 0 },
      problems: [{ reason: 'Stays as it is here: title (another agent has claimed the card)' }],
    })
    expect(await world.ok('get_card', { card_id })).toMatchObject({ title: 'Fix' })
    expect(await importing(board_id, table('1,Mend,open'), world.owner)).toMatchObject({ sums: { changed: 1 } })
  })

  test('changes no ideation outside of draft', async () => {
    const scene = await shared()
    const board_id = scene.boardId
    const proposal = async (why: string) =>
      new File(
        [await zipOf([['openspec/changes/add-login/proposal.md', `# Add login\n\n## Why\n\n${why}\n`]])],
        'a.zip',
      )
    await importing(board_id, await proposal('Users ask.'), world.owner)
    const [idea] = await world.ok('list_ideations', { board_id })
    if (idea.status === 'draft') await world.ok('move_ideation', { ideation_id: idea.id, status: 'review' })
    const { problems } = await importing(board_id, await proposal('Many users ask.'), world.owner)
    expect(problems).toContainEqual(
      expect.objectContaining({ reason: expect.stringMatching(/^Stays as it is here: .*changes only in draft\)$/) }),
    )
  })

  test('changes templates, and says which operation changes the rest', async () => {
    const { boardId: board_id } = await shared()
    const { id: template_id } = await world.ok('create_template', {
      board_id,
      entity_type: 'card',
      name: 'Chore',
      content: { title: 'Tidy up' },
    })
    const guideline = { title: 'Own', content: 'Of this board', priority: 2 }
    const { id: guideline_id } = await world.ok('add_board_guideline', { board_id, ...guideline })
    const { id: repository_id } = await world.ok('create_repository', {
      board_id,
      url: 'https://github.com/acme/shop',
    })
    const { id: ideation_id } = await world.ok('create_ideation', { board_id, title: 'Idea' })
    const copy = await world.ok('import_board', { file: await world.archive(board_id), keep_ids: false })
    await world.ok('update_template', { template_id, content: { title: 'Tidy the shed' } })
    await world.ok('update_board_guideline', { board_id, guideline_id, priority: 9 })
    await world.ok('update_repository', { repository_id, default_branch: 'trunk' })
    await world.ok('archive_record', { board_id, entity_type: 'ideation', entity_id: ideation_id })
    const file = await world.archive(board_id)
    const report = await world.ok('import_board', { board_id: copy.board_id, file, keep_ids: false })
    expect(report.updated).toEqual({ template: 1 })
    expect(report.problems.map(({ kind, reason }: Record<string, string>) => `${kind} ${reason}`)).toEqual([
      'guideline Stays as it is here: priority (its priority changes only by update_board_guideline)',
      'ideation Stays as it is here: archived (records are archived only by archive_record)',
      'ideation Stays as it is here: pre_archive_status (records are archived only by archive_record)',
      'repository Stays as it is here: default_branch (a repository changes only by update_repository)',
    ])
    const [template] = await world.ok('list_templates', { board_id: copy.board_id })
    expect(template.content).toEqual({ title: 'Tidy the shed' })
    const again = await world.ok('import_board', { board_id: copy.board_id, file, keep_ids: false })
    expect(again.updated).toEqual({})
  })

  test('never moves a card, whoever imports', async () => {
    const { boardId } = await shared()
    await importing(boardId, table('1,One,todo'))
    for (const as of [importer, world.owner]) {
      const { updated, problems } = await importing(boardId, table('1,One,done'), as)
      expect([updated, problems]).toMatchObject([
        {},
        [{ severity: 'changed', reason: expect.stringContaining('status') }],
      ])
    }
    const [card] = await world.ok('list_cards', { board_id: boardId })
    expect(card.status).not.toBe('done')
  })

  test('takes no external id for a record that it does not make', async () => {
    const scene = await shared()
    const card_id = await scene.card({ title: 'Claimed' })
    const { status } = await world.ok('get_card', { card_id })
    const { board_id } = await world.ok('import_board', { file: table('7,Claimed,todo') })
    const lines = linesOf((await zipEntries(await world.archive(board_id))).get('records.jsonl'))
    const externalId = lines.find(({ type, entity_type }) => type === 'external_id' && entity_type === 'card')
    const file = await changedArchive(await world.archive(scene.boardId), records => {
      records.push({ ...externalId, entity_id: card_id })
    })
    const { created, skipped } = await importing(scene.boardId, zip(file), world.owner)
    expect([created.external_id, skipped.external_id]).toEqual([undefined, 1])
    await importing(scene.boardId, table('7,Claimed,done'))
    expect(await world.ok('get_card', { card_id })).toMatchObject({ title: 'Claimed', status })
  })

  test('brings no evaluation to a spec that stands', async () => {
    const scene = await shared()
    const spec_id = await scene.spec()
    const archive = await world.archive(scene.boardId)
    await importing(scene.boardId, zip(await changedArchive(archive, () => {})), world.owner)
    const file = await changedArchive(archive, records => {
      const spec = records.find(({ id }) => id === spec_id)
      spec.evaluations = [approval(spec)]
    })
    const { updated } = await importing(scene.boardId, zip(file), world.owner)
    expect(updated).toEqual({})
    expect((await world.ok('get_spec', { spec_id })).evaluations).toEqual([])
  })
})

describe('what an import brings', () => {
  test('speaks in the name of nobody here but the importer, and says that it was imported', async () => {
    const scene = await Scene.on(world)
    const card_id = await scene.card({ title: 'One' })
    await world.ok('create_comment', { card_id, content: 'Mine' })
    const file = await world.archive(scene.boardId)
    await world.ok('delete_board', { board_id: scene.boardId })
    const author = await world.agent()
    const { board_id } = await world.ok('import_board', { file }, { as: author })
    const card = await world.ok('get_card', { card_id }, { as: author })
    expect(card.created_by).toMatch(/^external:/)
    expect(card.comments).toMatchObject([{ author_id: expect.stringMatching(/^external:/), imported: true }])
    await world.ok('create_comment', { card_id, content: 'Here' }, { as: author })
    const { comments } = await world.ok('get_card', { card_id }, { as: author })
    expect(comments[1]).not.toHaveProperty('imported')
    const { events } = await world.ok('list_board_events', { board_id, limit: 200 }, { as: author })
    const marked = events.map(({ imported, actor_id }: Record<string, unknown>) => [imported ?? false, actor_id])
    expect(marked.filter(([imported]: unknown[]) => imported === false)).toEqual([[false, author.id]])
    expect(marked.filter(([imported, actor]: unknown[]) => imported === true && actor === world.owner.id)).toEqual([])
  })

  test('passes no gate: an imported evaluation is shown, marked, and counts for nothing', async () => {
    const scene = await Scene.on(world)
    const spec_id = await scene.spec('validated')
    const file = await changedArchive(await world.archive(scene.boardId), records => {
      const spec = records.find(({ id }) => id === spec_id)
      spec.evaluations = [approval(spec)]
    })
    await world.ok('delete_board', { board_id: scene.boardId })
    await world.ok('import_board', { file: zip(file) })
    expect((await world.ok('get_spec', { spec_id })).evaluations).toMatchObject([{ imported: true }])
    const { status, body } = await world.call('move_spec', { spec_id, status: 'in_progress' })
    expect([status, body.detail?.error]).toEqual([409, 'EVALUATION_REQUIRED'])
  })

  test('undoes no separate review: a forged entry of the log is none of the work', async () => {
    const scene = await Scene.on(world)
    const worker = await world.agent()
    await scene.admit(worker)
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_separate_reviewer: true } })
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    for (const target_status of ['started', 'in_progress', 'validation'])
      await world.ok(
        'move_card',
        { card_id, target_status, ...(target_status === 'validation' && report) },
        { as: worker },
      )
    const file = await changedArchive(await world.archive(scene.boardId), (_, events) => {
      const moved = events.findLast(({ card_id: of, action }) => of === card_id && action === 'card_moved')
      events.push({
        ...moved,
        id: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
        sequence: events.length + 1_000,
        details: { ...moved.details, from_status: 'validation', to_status: 'not_started' },
      })
    })
    await importing(scene.boardId, zip(file), worker)
    const verdict = { card_id, outcome: 'success', summary: 'Fine.' }
    const { status, body } = await world.call('submit_task_validation', verdict, { as: worker })
    expect([status, body.detail?.error]).toEqual([409, 'REVIEWER_NOT_SEPARATE'])
  })

  test('keeps the authors of this service where its owner restores into an empty one', async () => {
    const restored = await World.start()
    const { id } = await restored.ok('create_board', { name: 'One', description: '' })
    const { title } = await restored.ok('create_ideation', { board_id: id, title: 'Idea' })
    const whole = await restored.archive(id)
    await restored.ok('delete_board', { board_id: id })
    await restored.ok('import_board', { file: whole })
    expect(await restored.ok('list_ideations', { board_id: id })).toMatchObject([
      { title, created_by: restored.owner.id },
    ])
    await restored.stop()
  })
})

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}
