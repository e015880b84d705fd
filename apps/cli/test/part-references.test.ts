import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'
import { changedArchive } from './support/zip-entries.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const comment = (card_id: string, content: string) =>
  world.ok('create_comment', { card_id, content, comment_type: 'text', choices: null, allow_free_text: false })

test('questions and comments have references, counted for each record and never used twice (crew 8.2)', async () => {
  const card_id = await scene.card()
  const { ref } = await world.ok('get_card', { card_id })
  const ask = (question: string) => world.ok('ask_question', { record: card_id, question })
  const first = await ask('Which colour?')
  const second = await ask('Which size?')
  expect([first.ref, second.ref]).toEqual([`${ref}.q1`, `${ref}.q2`])
  await world.ok('delete_card_question', { qa_id: second.ref })
  expect((await ask('Which shape?')).ref).toBe(`${ref}.q3`)
  const remark = await comment(card_id, 'Blue it is.')
  expect(remark.ref).toBe(`${ref}.c1`)
  const card = await world.ok('get_card', { card_id })
  expect(card.qa_items.map((item: { ref: string }) => item.ref)).toEqual([`${ref}.q1`, `${ref}.q3`])
  expect(card.comments.map((item: { ref: string }) => item.ref)).toEqual([`${ref}.c1`])
})

test('they are taken wherever the id of the part is, in any case', async () => {
  const card_id = await scene.card()
  const { ref } = await world.ok('get_card', { card_id })
  const { id } = await world.ok('ask_question', { record: ref, question: 'Which colour?' })
  const answer = await world.ok('answer_question', { question_id: `${ref}.Q1`.toLowerCase(), answer: 'Blue' })
  expect(answer).toMatchObject({ id, ref: `${ref}.q1`, answer: 'Blue' })
  expect(await world.ok('answer_card_question', { qa_id: `${ref}.q1`, answer: 'Red' })).toMatchObject({ id })
  const remark = await comment(card_id, 'First')
  const changed = { comment_id: `${ref}.c1`, content: 'Second' }
  expect(await world.ok('update_comment', changed)).toMatchObject({ id: remark.id, content: 'Second' })
  const read = { entity_type: 'comment', entity_id: `${ref}.c1` } as const
  expect(await world.ok('read_text', read)).toMatchObject({ text: 'Second' })
  // A part of another kind, or one that does not exist, is not found.
  expect((await world.call('answer_question', { question_id: `${ref}.c1`, answer: 'x' })).status).toBe(404)
  const missing = await world.call('update_comment', { comment_id: `${ref}.c2`, content: 'x' })
  expect([missing.status, missing.body.next_actions[0]]).toMatchObject([
    404,
    { name: 'get_card', reason: 'the card of that reference, with the parts that it has' },
  ])
  const other = await world.call('answer_question', { question_id: `${ref}.C1`.toLowerCase(), answer: 'x' })
  expect([other.body.detail.is, other.body.next_actions[0].name]).toEqual([
    { entity_type: 'comment', ref: `${ref}.c1` },
    'get_card',
  ])
  expect((await world.call('get_card', { card_id: `${ref}.q1` })).body.detail.is).toEqual({
    entity_type: 'question',
    ref: `${ref}.q1`,
  })
  const stranger = await world.agent({})
  const asStranger = await world.call('update_comment', changed, { as: stranger })
  expect(asStranger.status).toBe(404)
})

test('planning records have them too, and a derived record counts its own', async () => {
  const ideation_id = await scene.ideation()
  const { ref } = await world.ok('get_ideation', { ideation_id })
  const question = await world.ok('ask_ideation_question', { ideation_id, question: 'Who needs it?' })
  expect(question.ref).toBe(`${ref}.q1`)
  const [listed] = await world.ok('list_ideation_questions', { ideation_id })
  expect(listed.ref).toBe(`${ref}.q1`)
  const answer = await world.ok('answer_ideation_question', { ideation_id, qa_id: `${ref}.q1`, answer: 'Shops' })
  expect(answer).toMatchObject({ id: question.id, ref: `${ref}.q1` })
})

test('numbers leave and come back in archives; older ones are numbered in order', async () => {
  const own = await Scene.on(world)
  const card_id = await own.card()
  const { ref } = await world.ok('get_card', { card_id })
  await comment(card_id, 'One')
  await comment(card_id, 'Two')
  await world.ok('delete_comment', { comment_id: `${ref}.c1` })
  const archive = await world.archive(own.boardId)
  const refsIn = async (file: File) => {
    const { board_id } = await world.ok('import_board', { file, keep_ids: false })
    const [card] = await world.ok('list_cards', { board_id })
    const { comments } = await world.ok('get_card', { card_id: card.id })
    const { ref: next } = await comment(card.id, 'Next')
    return [...comments.map((each: { ref: string }) => each.ref), next].map(each => each.split('.')[1])
  }
  expect(await refsIn(archive)).toEqual(['c2', 'c3'])
  const older = await changedArchive(archive, records => {
    for (const record of records) if (record.type === 'comment') delete record.number
  })
  expect(await refsIn(new File([older], 'board.zip'))).toEqual(['c1', 'c2'])
})

test('knowledge, attachments, verdicts and designs have references, and are found by them', async () => {
  const own = await Scene.on(world)
  const card_id = await own.card({ status: 'validation' })
  const { ref } = await world.ok('get_card', { card_id })
  const knowledge = (title: string) => world.ok('create_card_knowledge', { card_id, title, content: 'Text' })
  await knowledge('One')
  const two = await knowledge('Two')
  expect(two.ref).toBe(`${ref}.k2`)
  await world.ok('delete_card_knowledge', { card_id, kb_id: `${ref}.k2` })
  expect((await knowledge('Three')).ref).toBe(`${ref}.k3`)
  expect(await world.ok('get_card_knowledge', { card_id, kb_id: `${ref}.K3`.toLowerCase() })).toMatchObject({
    title: 'Three',
  })
  const updated = await world.ok('update_card', {
    card_id,
    knowledge_bases: [{ title: 'Four', content: 'Text' }],
    lists: 'merge',
  })
  expect(updated.knowledge_bases.map((entry: { ref: string }) => entry.ref)).toEqual(
    [1, 3, 4].map(number => `${ref}.k${number}`),
  )
  const { board_id } = await own.attachment(card_id)
  const verdict = await world.ok('submit_task_validation', { card_id, outcome: 'failed', summary: 'No.' })
  expect(verdict.ref).toBe(`${ref}.v1`)
  const design = await world.ok('create_card_architecture', { card_id, title: 'Layers', global_description: 'Two.' })
  expect(design.ref).toBe(`${ref}.d1`)
  const card = await world.ok('get_card', { card_id })
  expect([card.attachments[0].ref, card.validations[0].ref, card.architecture_designs[0].ref]).toEqual(
    ['a1', 'v1', 'd1'].map(part => `${ref}.${part}`),
  )
  expect(await world.ok('get_architecture', { design_id: `${ref}.d1` })).toMatchObject({ id: design.id })
  const read = { card_id, validation_id: `${ref}.v1` }
  expect(await world.ok('get_task_validation', read)).toMatchObject({ id: verdict.id })
  expect((await world.call('delete_attachment', { board_id, card_id, attachment_id: `${ref}.a1` })).status).toBe(204)
  expect((await own.attachment(card_id)).attachment_id).not.toBe(card.attachments[0].id)
  expect((await world.ok('get_card', { card_id })).attachments[0].ref).toBe(`${ref}.a2`)
})

test('so have those of specs and sprints', async () => {
  const own = await Scene.on(world)
  const judged = await rows.submit_spec_evaluation.args(own, world.owner)
  const { ref } = await world.ok('get_spec', { spec_id: judged.spec_id })
  expect((await world.ok('submit_spec_evaluation', judged)).evaluation.ref).toBe(`${ref}.e1`)
  expect((await world.ok('submit_spec_evaluation', judged)).evaluation.ref).toBe(`${ref}.e2`)
  const { evaluations } = await world.ok('get_spec', { spec_id: judged.spec_id })
  expect(evaluations.map((each: { ref: string }) => each.ref)).toEqual([`${ref}.e1`, `${ref}.e2`])
  const validated = await rows.submit_spec_validation.args(own, world.owner)
  const spec = await world.ok('get_spec', { spec_id: validated.spec_id })
  expect((await world.ok('submit_spec_validation', validated)).ref).toBe(`${spec.ref}.v1`)
  const { knowledge_id, spec_id } = await own.knowledge('spec')
  const knowledge = await world.ok('get_spec_knowledge', { spec_id, knowledge_id })
  expect(knowledge.ref).toMatch(/\.k1$/)
  expect(await world.ok('get_spec_knowledge', { spec_id, knowledge_id: knowledge.ref })).toEqual(knowledge)
  const text = { entity_type: 'knowledge', entity_id: knowledge.ref, path: 'content' } as const
  expect(await world.ok('read_text', text)).toMatchObject({ text: knowledge.content })
  const sprint = await rows.submit_sprint_evaluation.args(own, world.owner)
  const { evaluation } = await world.ok('submit_sprint_evaluation', sprint)
  expect(evaluation.ref).toMatch(/-\d+\.e1$/)
})

test('an item of a spec is named by the reference of its spec and its id over MCP (crew 8.2)', async () => {
  const mcp = new McpWire(world)
  const spec_id = await scene.specWithScenarios()
  const { ref } = await world.ok('get_spec', { spec_id })
  const evidence = { output_snippet: 'ok' }
  const recorded = await mcp.tool('record_scenario_result', { scenario_id: `${ref}/s1`, status: 'passed', evidence })
  expect(recorded.value).toMatchObject({ status: 'passed' })
  const card = { board_id: scene.boardId, title: 'Test it', card_type: 'test', test_scenario_ids: [`${ref}/s1`] }
  const result = await mcp.tool('create_card', card)
  expect(result.isError, JSON.stringify(result.value)).toBe(false)
  expect(await world.ok('get_card', { card_id: result.value.id })).toMatchObject({ spec_id, test_scenario_ids: ['s1'] })
})
