import { afterAll, beforeAll, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const workerOf = async (name: string, as = world.owner) => {
  const workers = await world.ok('list_workers', { board_id: scene.boardId }, { as })
  return workers.find(({ agent_name }: { agent_name: string }) => agent_name === name)
}

test('a worker holds cards, was seen, and did something last (harness 6)', async () => {
  const agent = await world.agent({ name: 'Builder', board_ids: [scene.boardId] })
  const card_id = await scene.workableCard({ title: 'A wall', paths: ['src/wall/**'] })
  await world.ok('claim_card', { card_id }, { as: agent })
  const { ref } = await world.ok('get_card', { card_id })
  expect(await workerOf('Builder')).toEqual({
    kind: 'agent',
    id: agent.id,
    agent_id: agent.id,
    agent_name: 'Builder',
    client: null,
    model: null,
    worktree: null,
    branch: null,
    cards: [
      {
        ref,
        title: 'A wall',
        stage: 'work',
        since: expect.any(String),
        until: expect.any(String),
        attempt: 1,
        overlaps: [],
      },
    ],
    last_seen_at: expect.any(String),
    state: 'working',
    usage: null,
    refusals: { last_hour: 0, codes: {} },
    run: null,
    last_event: { action: 'card_claimed', ref, at: expect.any(String) },
  })
})

test('refusals are counted by their code, for who may read agents', async () => {
  const agent = await world.agent({ name: 'Refused', board_ids: [scene.boardId] })
  const card_id = await scene.workableCard()
  for (let time = 0; time < 3; time++) await world.call('move_card', { card_id, target_status: 'done' }, { as: agent })
  await world.call('get_card', { card_id: '01900000-0000-7000-8000-00000000dead' }, { as: agent })
  await expect
    .poll(() => workerOf('Refused'))
    .toMatchObject({ refusals: { last_hour: 3, codes: { CONCLUSION_REQUIRED: 3 } } })
  const reader = await world.agent({
    name: 'Reader',
    board_ids: [scene.boardId],
    permission_flags: { AGENTS_READ: false },
  })
  expect(await workerOf('Refused', reader)).toMatchObject({ refusals: null })
})

test('a call that waits for a card is told', async () => {
  const agent = await world.agent({ name: 'Patient', board_ids: [scene.boardId] })
  const { id: board_id } = await world.ok('create_board', { name: 'Empty', description: '' })
  await world.ok('grant_board_access', { agent_id: agent.id, board_id })
  const waiting = world.call('claim_next_card', { board_id, wait_ms: 3_000 }, { as: agent })
  await expect
    .poll(async () =>
      (await world.ok('list_workers', { board_id })).map(
        ({ agent_name, state }: { agent_name: string; state: string }) => [agent_name, state],
      ),
    )
    .toContainEqual(['Patient', 'waiting'])
  await waiting
  expect(
    (await world.ok('list_workers', { board_id })).find(({ state }: { state: string }) => state === 'waiting'),
  ).toBeUndefined()
})

test('who has no access and holds nothing is not listed, nor is who sees no board told anything', async () => {
  await world.agent({ name: 'Elsewhere' })
  const stranger = await world.agent({ name: 'Stranger' })
  await world.ok('list_boards', {}, { as: stranger })
  expect(await workerOf('Elsewhere')).toBeUndefined()
  expect(await workerOf('Stranger')).toBeUndefined()
  const { status } = await world.call('list_workers', { board_id: scene.boardId }, { as: stranger })
  expect(status).toBe(404)
})

test('who may not read cards sees who works, but not on what', async () => {
  const agent = await world.agent({ name: 'Secretive', board_ids: [scene.boardId] })
  await world.ok('claim_card', { card_id: await scene.workableCard() }, { as: agent })
  const blind = await world.agent({ board_ids: [scene.boardId], permission_flags: { CARDS_READ: false } })
  expect(await workerOf('Secretive', blind)).toMatchObject({ id: agent.id, state: 'working', cards: [] })
  expect((await workerOf('Secretive')).cards).toHaveLength(1)
})
