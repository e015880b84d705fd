import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerLink } from '../src/web-link.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type SessionHeaders, sessionOf } from './support/web-session.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const own = { 'sec-fetch-site': 'same-origin' }

/** A call of a page in a session. */
const inPage = async (session: SessionHeaders, method: string, path: string, body?: unknown) =>
  fetch(`${world.running.url}${path}`, {
    method,
    headers: { ...own, origin: world.running.url, 'content-type': 'application/json', ...session },
    body: body === undefined ? null : JSON.stringify(body),
  })

const opened = async (path: string, body: unknown): Promise<SessionHeaders> => {
  const headers = { ...own, 'content-type': 'application/json' }
  return sessionOf(await fetch(`${world.running.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
}

test('the Local Owner is a person, and agents are what they are made as (people 1.1)', async () => {
  const agent = await world.agent()
  const service = await world.agent({ kind: 'service' })
  const kindOf = async ({ id }: TestAgent) => (await world.ok('get_agent', { agent_id: id })).kind
  expect([await kindOf(world.owner), await kindOf(agent), await kindOf(service)]).toEqual([
    'person',
    'agent',
    'service',
  ])
  const listed = await world.ok('list_agents', { kind: 'person,service' })
  expect(listed.map(({ id }: TestAgent) => id)).toEqual([world.owner.id, service.id])
  expect((await world.call('create_agent', { name: 'x', kind: 'robot' })).status).toBe(422)
})

test('members and claims carry the kind (people 1.1)', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const agent = await world.agent()
  await world.ok('grant_board_access', { agent_id: agent.id, board_id })
  const members = await world.ok('list_board_members', { board_id })
  expect(members.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['agent', 'person'])
  const card = await world.ok('create_card', { board_id, title: 'A small change' })
  const claim = await world.ok('claim_card', { card_id: card.id }, { as: agent })
  expect(claim.agent_kind).toBe('agent')
  expect((await world.ok('get_card', { card_id: card.id })).claim.agent_kind).toBe('agent')
  expect((await world.ok('list_claims', { board_id }))[0].agent_kind).toBe('agent')
})

test('what happened says which kind acted, and by what it came (people 1.1)', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const agent = await world.agent()
  await world.ok('grant_board_access', { agent_id: agent.id, board_id })
  const ideation = await world.ok('create_ideation', { board_id, title: 'By an agent' }, { as: agent })
  const byKey = await opened('/web/session', { key: world.owner.key })
  const update = { title: 'By a person in a session' }
  expect((await inPage(byKey, 'PATCH', `/api/v1/ideations/${ideation.id}`, update)).status).toBe(200)
  const history = await world.ok('list_ideation_history', { ideation_id: ideation.id })
  const actors = history.map(({ actor_type, actor_via }: Record<string, string>) => [actor_type, actor_via])
  expect(actors).toEqual([
    ['person', 'session'],
    ['agent', 'key'],
  ])
  const { events } = await world.ok('list_board_events', { board_id, actor_type: 'agent' })
  expect(events.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual([ideation.id])
  const { status } = await world.call('list_board_events', { board_id, actor_type: 'robot' })
  expect(status).toBe(422)
})

test('what waits says by what its actor came (people 1.1)', async () => {
  const scene = await Scene.on(world)
  const agent = await world.agent()
  await scene.admit(agent)
  const owner = await Person.owner(world)
  const card_id = await scene.workableCard()
  await owner.ok('ask_card_question', { card_id, question: 'In a session?' })
  await world.ok('ask_card_question', { card_id, question: 'With a key?' })
  const { items } = await world.ok('list_my_inbox', { kind: 'question' }, { as: agent })
  const actors = items.map(({ actor_type, actor_via }: Record<string, string>) => [actor_type, actor_via])
  expect(actors.toSorted()).toEqual([
    ['person', 'key'],
    ['person', 'session'],
  ])
})

test('the audit says by what an actor came, a one-time link included (people 7.2)', async () => {
  const link = await ownerLink({ folder: world.folder, databaseUrl: world.databaseUrl }, world.running.url)
  const session = await opened('/web/session/link', { token: link!.slice(link!.indexOf('#') + 1) })
  const { id } = (await (await inPage(session, 'POST', '/api/v1/agents', { name: 'By a page' })).json()) as TestAgent
  const [entry] = await world.ok('list_audit', { target_id: id })
  expect(entry).toMatchObject({ actor_type: 'person', actor_via: 'session', origin: 'web', details: null })
})

test('figures tell who approves: by kind, and by a present person (people 1.1)', async () => {
  const scene = await Scene.on(world)
  const board_id = scene.boardId
  const agent = await world.agent()
  await scene.admit(agent)
  const owner = await Person.owner(world)
  await world.ok('update_board', { board_id, settings: { auto_move: false } })
  const report = { completeness: 100, completeness_justification: 'All.', drift: 0, drift_justification: 'None.' }
  const card_id = await scene.workableCard()
  await world.ok('move_card', { card_id, target_status: 'validation', conclusion: 'Done.', ...report }, { as: agent })
  const verdict = { card_id, outcome: 'success', summary: 'Seen.' }
  await world.ok('submit_task_validation', verdict, { as: agent })
  await owner.ok('submit_task_validation', verdict)
  await owner.ok('move_card', { card_id, target_status: 'done' })
  const none = { person: 0, agent: 0, ci: 0, service: 0, present: 0 }
  expect((await world.ok('get_validation_analytics', { board_id })).by_kind).toEqual({
    spec_validations: none,
    task_validations: { ...none, person: 1, agent: 1, present: 1 },
    moves_to_done: { ...none, person: 1, present: 1 },
  })
  const rows = await world.ok('get_agent_analytics', { board_id })
  expect(new Map(rows.map((row: { actor_id: string; kind: string }) => [row.actor_id, row.kind]))).toEqual(
    new Map([
      [world.owner.id, 'person'],
      [agent.id, 'agent'],
    ]),
  )
})
