import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { initializeParams, McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
})

beforeEach(async () => {
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

type Agent = Awaited<ReturnType<World['agent']>>

let sessions = 0
const newSession = () => `session-${++sessions}`

const newAgent = (name?: string) => world.agent({ ...(name !== undefined && { name }), board_ids: [scene.boardId] })

const hook = (as: Agent, session: string, event: string, more: object = {}) =>
  world.ok('report_hook', { event, session, client: 'claude-code', board_id: scene.boardId, ...more }, { as })

const startedCard = async (as: Agent, session?: string, more: object = {}) => {
  const card_id = await scene.workableCard({ title: 'Build the wall', paths: ['src/wall/**'], ...more })
  await world.ok('claim_card', { card_id, start: true, ...(session !== undefined && { session }) }, { as })
  return (await world.ok('get_card', { card_id })) as { id: string; ref: string }
}

const claimOf = async (card_id: string) => (await world.ok('get_card', { card_id })).claim

const silent = { context: null, deny: null, message: null, run_id: null, told: [] }

test('a session that has nothing to go on with is told in one line how to begin (harness 3.2, rule 2)', async () => {
  const agent = await newAgent()
  const answer = await hook(agent, newSession(), 'session_start', { source: 'startup' })
  expect(answer).toEqual({ ...silent, context: expect.stringContaining('list_my_inbox'), claims: [], wait_s: 0 })
  expect(answer.context.split('\n')).toHaveLength(1)
})

test('the only unbound claim is bound to the only session, shown and renewed (harness 3.2, rule 1)', async () => {
  const agent = await newAgent()
  const card = await startedCard(agent)
  const session = newSession()
  const answer = await hook(agent, session, 'session_start', { worktree: { hash: 'a'.repeat(64), name: 'wall' } })
  expect(answer.claims).toEqual([{ ref: card.ref, stage: 'work', until: expect.any(String) }])
  expect(answer.context).toContain(`You hold ${card.ref} "Build the wall" (started)`)
  expect((await claimOf(card.id)).session).toEqual({ id: session, client: 'claude-code', name: 'wall' })
  const { holding } = await world.ok('list_my_inbox', {}, { as: agent })
  expect(holding[0].session).toEqual({ id: session, client: 'claude-code', name: 'wall' })
  const [claim] = await world.ok('list_claims', { board_id: scene.boardId })
  expect(claim.session.id).toBe(session)
})

test('two sessions of one agent: neither gets what is not its own, each is told of the other', async () => {
  const agent = await newAgent()
  const [one, two] = [newSession(), newSession()]
  await hook(agent, one, 'session_start')
  await hook(agent, two, 'session_start')
  const card = await startedCard(agent, one)
  const answer = await hook(agent, two, 'session_start', { source: 'resume' })
  expect(answer.claims).toEqual([])
  expect(answer.context).toContain(`In another session of yours: ${card.ref}.`)
  expect(answer.context).not.toContain('You hold')
  const free = await startedCard(agent)
  expect((await hook(agent, two, 'prompt')).claims).toEqual([])
  await hook(agent, two, 'claimed', { claimed: [free.ref] })
  expect((await claimOf(free.id)).session.id).toBe(two)
  // Their scopes are the same, so each works in the files of the other.
  const pairs = await world.ok('list_overlaps', { board_id: scene.boardId })
  expect(pairs.map((pair: { a: { session: { id: string } } }) => pair.a.session.id)).toHaveLength(1)
  const next = await world.ok('claim_next_card', { board_id: scene.boardId, session: two }, { as: agent })
  expect(next.card.id).toBe(free.id)
})

test('a session is told whose reservation meets its own, and where both sides are shown (harness 5.4)', async () => {
  const [one, two] = [await newAgent(), await newAgent('Nell Reserves')]
  const session = newSession()
  await hook(one, session, 'session_start')
  const reserve = (as: Agent, paths: string[]) => world.ok('reserve_paths', { board_id: scene.boardId, paths }, { as })
  await reserve(one, ['src/**'])
  await reserve(two, ['src/wall.ts'])
  const { context } = await hook(one, session, 'prompt')
  expect(context).toMatch(
    /Nell Reserves.* works on .*src\/wall\.ts.* too: agree first; list_overlaps shows both sides\.$/,
  )
})

test('a claim begins a session that no hook has told of', async () => {
  const agent = await newAgent()
  const session = newSession()
  const { claim } = await world.ok('claim_next_card', { board_id: scene.boardId, session }, { as: agent })
  expect(claim).toBeNull()
  const card = await startedCard(agent, session)
  expect((await claimOf(card.id)).session).toEqual({ id: session, client: null, name: null })
  const created = await world.ok(
    'create_card',
    { board_id: scene.boardId, title: 'Small', claim: true, session },
    { as: agent },
  )
  expect(created.claim.session.id).toBe(session)
})

test('the end of a session unbinds its claims and releases none (harness 3.2, rule 8)', async () => {
  const agent = await newAgent()
  const session = newSession()
  await hook(agent, session, 'session_start')
  const card = await startedCard(agent, session)
  expect(await hook(agent, session, 'session_end', { reason: 'other' })).toEqual({ ...silent, claims: [], wait_s: 0 })
  expect(await claimOf(card.id)).toMatchObject({ agent_id: agent.id, session: null })
  const workers = await world.ok('list_workers', { board_id: scene.boardId })
  expect(workers.find(({ id }: { id: string }) => id === session)).toMatchObject({
    kind: 'session',
    state: 'ended',
    cards: [],
  })
  expect(workers.find(({ id }: { id: string }) => id === agent.id)).toMatchObject({
    kind: 'agent',
    cards: [{ ref: card.ref }],
  })
})

test('with stop_claim release the end of a session gives its cards back, with a checkpoint (harness 3.2, rule 7)', async () => {
  await world.ok('update_board', { board_id: scene.boardId, settings: { stop_claim: 'release' } })
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  await hook(agent, session, 'stop')
  expect(await claimOf(card.id)).not.toBeNull()
  await hook(agent, session, 'session_end')
  const after = await world.ok('get_card', { card_id: card.id })
  expect(after.claim).toBeNull()
  expect(after.checkpoint.text).toBe('The session ended without a checkpoint.')
})

test('sessions are workers, with what they run on (harness 6)', async () => {
  const agent = await newAgent()
  const session = newSession()
  await hook(agent, session, 'session_start', { model: 'a-model', branch: 'wall', worktree: { name: 'tree' } })
  const card = await startedCard(agent, session)
  const own = (await world.ok('list_workers', { board_id: scene.boardId })).filter(
    ({ agent_id }: { agent_id: string }) => agent_id === agent.id,
  )
  expect(own).toEqual([
    expect.objectContaining({
      kind: 'session',
      id: session,
      client: 'claude-code',
      model: 'a-model',
      worktree: 'tree',
      branch: 'wall',
      state: 'working',
      cards: [expect.objectContaining({ ref: card.ref })],
    }),
  ])
})

test('an answer is told to a session once, and stays in the inbox (harness 3.2, rule 3)', async () => {
  const agent = await newAgent()
  const session = newSession()
  await hook(agent, session, 'session_start')
  const card = await startedCard(agent, session)
  expect(await hook(agent, session, 'prompt')).toMatchObject({ context: null, wait_s: 15 })
  const question = await world.ok('ask_question', { record: card.id, question: 'Which bricks?' }, { as: agent })
  await world.ok('answer_question', { question_id: question.id, answer: 'Red "ones"\nfrom the yard' })
  const answer = await hook(agent, session, 'prompt')
  expect(answer.context).toContain(`answered your question on ${card.ref} "Red \\"ones\\" from the yard"`)
  expect(answer.told).toHaveLength(1)
  expect(await hook(agent, session, 'prompt')).toMatchObject({ context: null, told: [] })
  const { items } = await world.ok('list_my_inbox', {}, { as: agent })
  expect(items.map(({ id }: { id: string }) => id)).toContain(answer.told[0])
})

test('what befalls a card of one session is not told to another (harness 3.2, rule 3)', async () => {
  const agent = await newAgent()
  const [one, other] = [newSession(), newSession()]
  const card = await startedCard(agent, one)
  for (const session of [one, other]) await hook(agent, session, 'session_start')
  await world.ok('release_claim', { card_id: card.id })
  expect(await hook(agent, other, 'prompt')).toMatchObject({ context: null, told: [] })
  expect((await hook(agent, one, 'prompt')).context).toContain(`Your claim on ${card.ref} ended`)
})

test('an edit in paths of another is told once an hour, and refused where the board asks for that (harness 3.2, rule 4)', async () => {
  const [builder, other] = [await newAgent('Builder'), await newAgent('Other')]
  const card = await startedCard(builder)
  const session = newSession()
  await startedCard(other, session, { paths: ['docs/**'], title: 'Describe it' })
  const edit = (path: string) => hook(other, session, 'before_edit', { paths: [path] })
  expect((await edit('src/wall/brick.ts')).context).toMatch(
    new RegExp(`^src/wall/brick.ts is in the scope of ${card.ref}, which "Builder" works on until`),
  )
  expect(await edit('src/wall/brick.ts')).toMatchObject(silent)
  expect(await edit('docs/a.md')).toMatchObject(silent)
  expect(await edit('/etc/passwd')).toMatchObject(silent)
  expect(await edit('../src/wall/brick.ts')).toMatchObject(silent)
  await world.ok('update_board', { board_id: scene.boardId, settings: { edit_guard: 'deny' } })
  const denied = await edit('src/wall/brick.ts')
  expect(denied.deny).toContain('specboard paths who src/wall/brick.ts')
  expect(denied.deny.length).toBeLessThanOrEqual(300)
  await world.ok('update_board', { board_id: scene.boardId, settings: { edit_guard: 'off' } })
  expect(await edit('src/wall/other.ts')).toMatchObject(silent)
})

test('who edits and holds nothing is told once how to file a small change', async () => {
  const agent = await newAgent()
  const session = newSession()
  const edit = () => hook(agent, session, 'before_edit', { paths: ['src/a.ts'] })
  expect((await edit()).context).toContain('specboard-small')
  expect(await edit()).toMatchObject(silent)
})

const shell = { command: 'npm test', tool_call: 'call-1' }

test('a run that a hook saw from its beginning to its end proves the cards of the session (harness 3.2, rule 5)', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  const { run_id } = await hook(agent, session, 'before_shell', shell)
  expect(run_id).toEqual(expect.any(String))
  expect((await hook(agent, session, 'before_shell', shell)).run_id).toBeNull()
  const ended = await hook(agent, session, 'after_shell', { ...shell, exit_code: 0, output_tail: 'ok', duration_ms: 5 })
  expect(ended).toMatchObject({ run_id, context: null })
  const proof = await world.ok('get_proof', { entity_type: 'card', entity_id: card.id })
  expect(proof.items[0].results[0]).toMatchObject({ tier: 'observed', tier_reason: 'hook', status: 'passed', run_id })
  // An end without a beginning records nothing.
  expect((await hook(agent, session, 'after_shell', { ...shell, exit_code: 0 })).run_id).toBeNull()
})

test('of hooks of a session that report at once, one is told (harness 3.2)', async () => {
  const agent = await newAgent()
  const session = newSession()
  await hook(agent, session, 'session_start')
  const countContexts = async (event: string, more: object = {}) => {
    const answers = await Promise.all([1, 2, 3].map(() => hook(agent, session, event, more)))
    return answers.filter(({ context }) => context !== null).length
  }
  expect(await countContexts('before_edit', { paths: ['src/a.ts'] })).toBe(1)
  await startedCard(agent, session)
  expect(await countContexts('stop')).toBe(1)
})

test('an exit code that is not known proves nothing, and is told once', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  const run = async (tool_call: string) => {
    await hook(agent, session, 'before_shell', { ...shell, tool_call })
    return hook(agent, session, 'after_shell', { ...shell, tool_call, exit_code: null, unknown: 'in the background' })
  }
  expect((await run('a')).context).toContain(`specboard prove ${card.ref} -- npm test`)
  expect((await run('b')).context).toBeNull()
  const proof = await world.ok('get_proof', { entity_type: 'card', entity_id: card.id })
  expect(proof.items[0].results).toEqual([])
})

test('hook_evidence: claimed counts a run as a word, off watches none', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  await world.ok('update_board', { board_id: scene.boardId, settings: { hook_evidence: 'claimed' } })
  await hook(agent, session, 'before_shell', { command: 'npm test' })
  await hook(agent, session, 'after_shell', { command: 'npm test', exit_code: 1 })
  const proof = await world.ok('get_proof', { entity_type: 'card', entity_id: card.id })
  expect(proof.items[0].results[0]).toMatchObject({ tier: 'claimed', tier_reason: 'hook', status: 'failed' })
  await world.ok('update_board', { board_id: scene.boardId, settings: { hook_evidence: 'off' } })
  expect((await hook(agent, session, 'before_shell', { command: 'npm test' })).run_id).toBeNull()
})

test('what a machine notes stands beside the text of the agent (harness 3.2, rule 6)', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  await world.ok('save_checkpoint', { card_id: card.id, text: 'Half built', data: { bricks: 3 } }, { as: agent })
  await hook(agent, session, 'before_compact', { note: `branch wall ${'x'.repeat(1_900)}` })
  const { checkpoint } = await world.ok('get_card', { card_id: card.id })
  expect(checkpoint.text).toBe('Half built')
  expect(checkpoint.data).toMatchObject({ bricks: 3, harness: { note: expect.stringMatching(/^branch wall x+$/) } })
  expect(JSON.stringify(checkpoint.data).length).toBeLessThanOrEqual(2_048)
})

test('the end of a turn reminds once of a card on which nothing is noted (harness 3.2, rule 7)', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  await hook(agent, session, 'before_compact', { note: 'a machine' })
  expect(await hook(agent, session, 'stop', { stop_active: true })).toMatchObject({ context: null })
  expect(await hook(agent, session, 'stop', { background: true })).toMatchObject({ context: null })
  expect((await hook(agent, session, 'stop')).context).toContain(`save_checkpoint ${card.ref}`)
  expect(await hook(agent, session, 'stop')).toMatchObject({ context: null })
})

test('a noted card needs no reminder', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  await world.ok('create_comment', { card_id: card.id, content: 'Half built' }, { as: agent })
  expect(await hook(agent, session, 'stop')).toMatchObject({ context: null, claims: [{ ref: card.ref }] })
})

test('a subagent is told what its parent works on (harness 3.2, rule 8)', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent, session)
  const { context } = await hook(agent, session, 'subagent_start', { subagent: 'helper' })
  expect(context).toBe(`Your parent works on ${card.ref} "Build the wall" (started).\nIts scope: src/wall/**.`)
})

test('an unknown event and a board that is not seen are 404', async () => {
  const agent = await newAgent()
  const board = await world.ok('create_board', { name: 'Elsewhere', description: 'Another board' })
  const of = (args: object) => world.call('report_hook', { session: 's', event: 'prompt', ...args }, { as: agent })
  expect(await of({ event: 'sneeze' })).toMatchObject({ status: 404 })
  expect(await of({ board_id: board.id })).toMatchObject({ status: 404 })
  expect(await of({})).toMatchObject({ status: 200, body: { ...silent, claims: [] } })
})

test('a key that may not claim binds and writes nothing, and is told nothing that it may not read', async () => {
  const agent = await newAgent()
  const session = newSession()
  const card = await startedCard(agent)
  const reader = await world.agent({ board_ids: [scene.boardId], permission_flags: { CARDS_CLAIM: false } })
  const answer = await hook(reader, session, 'session_start')
  expect(answer.claims).toEqual([])
  expect((await claimOf(card.id)).session).toBeNull()
})

test('the texts of a session are small, whatever titles hold (harness 3.3)', async () => {
  const agent = await newAgent()
  const session = newSession()
  for (let card = 0; card < 5; card++)
    await startedCard(agent, session, { title: 'word '.repeat(100).trim(), paths: [] })
  const { context } = await hook(agent, session, 'session_start')
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  expect(countTokens(context)).toBeLessThanOrEqual(400)
  expect(context.match(/You hold/g)).toHaveLength(5)
  expect((await hook(agent, session, 'session_start')).context).toBe(context)
})

test('at its start a session takes at most 5,900 tokens of a model (harness 3.3)', async () => {
  const agent = await newAgent()
  const session = newSession()
  for (let card = 0; card < 5; card++) await startedCard(agent, session, { title: 'word '.repeat(100), paths: [] })
  const { context } = await hook(agent, session, 'session_start')
  const skills = fileURLToPath(new URL('../../../integrations/plugin/skills', import.meta.url))
  const heads = readdirSync(skills).map(name => readFileSync(`${skills}/${name}/SKILL.md`, 'utf8').split('---')[1])
  const wire = new McpWire(world)
  const view = { as: agent, query: `toolsets=core&board_id=${scene.boardId}` }
  const { instructions } = (await wire.legacy('initialize', initializeParams(), view)).body.result
  const { tools } = (await wire.modern('tools/list', {}, view)).body.result
  const listing = tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
    name,
    description,
    inputSchema,
  }))
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const costs = [...heads, context, instructions, JSON.stringify(listing)].map(text => countTokens(text))
  expect(costs.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(5_900)
})
