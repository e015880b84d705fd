import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let key: string
let ada: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  key = await scene.boardKey()
  ada = await world.agent({ preset_id: 'Solo' })
  await scene.admit(ada)
})

afterAll(() => world.stop())

/** Runs a verb as an agent, on the board of the scene. */
const verb = (...args: readonly string[]) =>
  runCommandIn(
    { variables: { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: ada.key } },
    args[0]!,
    '--board',
    key,
    ...args.slice(1),
  )

/** What a verb prints, which must succeed. */
async function outputOf(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await verb(...args)
  expect([code, errors]).toEqual([0, ''])
  return output.trim()
}

const statusOf = async (card_id: string) => (await world.ok('get_card', { card_id })).status

describe('the verbs (crew 10)', { timeout: 120_000 }, () => {
  test('a small change is two of them, and little to read', async () => {
    const added = await outputOf('add', 'Mend the typo', '--take')
    expect(added).toMatch(new RegExp(`^${key}-\\d+ yours$`))
    const [ref] = added.split(' ')
    const done = await outputOf('done', ref!, 'Mended.', '--check', 'read it again')
    expect(done).toBe(`${ref} done`)
    expect(await statusOf(ref!)).toBe('done')
    expect(countTokens(`${added}\n${done}`)).toBeLessThanOrEqual(120)
  })

  test('ready, take, show, note and log lead through a card', async () => {
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id, title: 'Draw the map', description: 'With rivers.' })
    const { ref } = await world.ok('get_card', { card_id })
    expect(await outputOf('ready')).toContain(`${ref}  ready  Draw the map`)
    const output = await outputOf('take', ref)
    expect(output).toMatch(new RegExp(`^${ref} yours until 20`))
    expect(output).toContain('With rivers.')
    expect(await statusOf(ref)).toBe('started')
    expect((await outputOf('ready')).split('\n')[0]).toBe(`${ref}  yours  Draw the map`)
    expect(await outputOf('note', ref, 'Half of it is drawn')).toBe(`${ref} checkpoint saved`)
    expect(await outputOf('show', ref)).toContain('Half of it is drawn')
    expect((await outputOf('log', ref)).split('\n')[0]).toMatch(new RegExp(`^20.*  ${ref}  checkpoint_saved  `))
    const { code, errors } = await verb('done', ref, 'Drawn.')
    expect([code, errors.split('\n').length]).toEqual([1, 2])
    expect(errors).toMatch(/completeness/)
    const report = ['--completeness', '100', '--completeness-justification', 'All of it is there.']
    const drift = ['--drift', '0', '--drift-justification', 'Nothing is different.']
    expect(await outputOf('done', ref, 'Drawn.', ...report, ...drift)).toBe(`${ref} done`)
  })

  test('a card that somebody must judge goes to validation, and says so', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_task_validation: true } })
    const [ref] = (await outputOf('add', 'To be judged', '--take')).split(' ')
    expect(await outputOf('done', ref!, 'Ready.', '--check', 'ran it')).toBe(
      `${ref} validation: it waits for a verdict`,
    )
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_task_validation: false } })
  })

  test('ask and answer by the reference of the question', async () => {
    const ref = await outputOf('add', 'What colour')
    const output = await outputOf('ask', ref, 'Which blue?')
    expect(output).toBe(`asked; answer it with: specboard answer ${ref}.q1 TEXT`)
    await outputOf('ask', ref, 'Which red?')
    expect(await outputOf('answer', `${ref}.q2`, 'The dark one.')).toBe('answered')
    const { qa_items } = await world.ok('get_card', { card_id: ref })
    expect(qa_items.map(({ answer }: { answer: string | null }) => answer)).toEqual([null, 'The dark one.'])
    const { code, errors } = await verb('answer', `${ref}.q9`, 'Nothing.')
    expect([code, errors]).toEqual([1, expect.stringContaining(`${ref}.q9`)])
  })

  test('show prints parts by their references, and items of specs (crew 8.2)', async () => {
    const spec_id = await scene.specWithScenarios()
    const card_id = await scene.card({ spec_id })
    const { ref } = await world.ok('get_card', { card_id })
    await world.ok('ask_question', { record: ref, question: 'Which colour?' })
    await world.ok('create_comment', { card_id, content: 'Blue it is.' })
    await world.ok('create_card_knowledge', { card_id, title: 'Notes', content: 'All of it' })
    await world.ok('create_card_architecture', { card_id, title: 'Layers', global_description: 'Two.' })
    expect(await outputOf('show', `${ref}.q1`)).toContain('question: Which colour?')
    expect(await outputOf('show', `${ref}.C1`)).toContain('content: Blue it is.')
    expect(await outputOf('show', `${ref}.k1`)).toContain('content: All of it')
    expect(await outputOf('show', `${ref}.d1`)).toContain('global_description: Two.')
    const spec = await world.ok('get_spec', { spec_id })
    expect(await outputOf('show', `${spec.ref}/s1`)).toContain('title: Works')
    const { code, errors } = await verb('show', `${ref}.q2`)
    expect([code, errors]).toEqual([
      1,
      `specboard: ${ref} has no ${ref}.q2. "specboard show ${ref}" prints what it has.\n`,
    ])
  })

  test('block puts on hold with a reason, or lets a card wait for another', async () => {
    const [one, other] = [await outputOf('add', 'One'), await outputOf('add', 'Other')]
    expect(await outputOf('block', one, '--on', other)).toBe(`${one} waits for ${other}`)
    expect(await outputOf('block', other, 'The supplier is closed')).toBe(`${other} on hold`)
    expect((await world.ok('get_card', { card_id: other })).comments).toHaveLength(1)
  })

  test('with --json each prints one object; wrong use is 2, a refusal 1', async () => {
    const value = JSON.parse(await outputOf('add', 'For machines', '--json'))
    expect(value.id).toMatch(new RegExp(`^${key}-\\d+$`))
    expect((await verb('block', value.id)).code).toBe(2)
    expect((await verb('add')).code).toBe(2)
    expect((await verb('ready', '--wait', 'soon')).code).toBe(2)
    const refused = await verb('show', `${key}-9999`)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('There is no record')])
    const result = await verb('done', `${key}-9999`, 'x', '--json')
    expect([result.code, JSON.parse(result.output).detail.error]).toEqual([1, 'NOT_FOUND'])
  })

  test('with --json values are lean: references, and nothing that is usual', async () => {
    const json = async (...args: readonly string[]) => JSON.parse(await outputOf(...args, '--json'))
    const { id } = await json('add', 'Lean one', '--take')
    expect(id).toMatch(new RegExp(`^${key}-\\d+$`))
    expect(await json('ready')).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ id })]) })
    expect(await json('take')).toMatchObject({ claim: { until: expect.any(String), stage: 'work' }, card: { id } })
    expect(await json('take', id)).toMatchObject({ until: expect.any(String), stage: 'work' })
    expect(await json('show', id)).toMatchObject({ id, entity_type: 'card', page: expect.stringContaining('Lean one') })
    expect(await json('ask', id, 'Why?')).toMatchObject({ id: `${id}.q1` })
    expect(await json('show', `${id}.q1`)).toMatchObject({ id: `${id}.q1`, question: 'Why?' })
    expect((await json('log', id)).events[0]).toMatchObject({ what: 'question_added', ref: id })
    expect(await json('done', id, 'Did it.', '--check', 'read it')).toMatchObject({ id, status: 'done' })
  })

  test('nothing to take is told with what cards wait for, and is 1', async () => {
    const empty = await Scene.on(world)
    await empty.admit(ada)
    const { code, output } = await runCommandIn(
      { variables: { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: ada.key } },
      'take',
      '--board',
      await empty.boardKey(),
    )
    expect([code, output]).toEqual([1, expect.stringMatching(/^nothing to take/)])
  })
})
