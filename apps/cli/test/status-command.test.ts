import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ada: TestAgent
let ben: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  const joining = () => world.agent({ preset_id: 'Executor', board_ids: [scene.boardId] })
  ada = await joining()
  ben = await joining()
})

afterAll(() => world.stop())

const status = (as: TestAgent, ...more: readonly string[]) =>
  runCommandIn(
    { variables: { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: as.key }, folder: tmpdir() },
    'status',
    ...more,
  )

test('one screen: who one is, what one holds, who works on what, and overlaps (harness 6)', async () => {
  const refs: string[] = []
  for (const [as, session] of [[ada, 's-a'] as const, [ben, 's-b'] as const]) {
    const card_id = await scene.card({ spec_id: await scene.specWithScenarios(), paths: ['src/**'] })
    refs.push((await world.ok('claim_card', { card_id, session, start: true }, { as })).card_ref)
  }
  const { code, output } = await status(ada, '--board', scene.boardId)
  expect(code).toBe(0)
  expect(output).toContain(`at ${world.running.url} (key from SPECBOARD_API_KEY)`)
  expect(output).toMatch(new RegExp(`you hold:\n {2}${refs[0]} .*\\(started\\) until`))
  expect(output).toMatch(new RegExp(`workers:\n(?: {2}.*\n)*.*${refs[1]}`))
  expect(output).toMatch(new RegExp(`overlaps:\n {2}${refs[0]} of .* and ${refs[1]} of .*: src\n`))
  const result = JSON.parse((await status(ada, '--board', scene.boardId, '--json')).output)
  expect(result).toMatchObject({ agent_id: ada.id, holding: [{ ref: refs[0] }], budget: null })
  expect(result.workers.length).toBeGreaterThanOrEqual(2)
  expect(result.overlaps).toHaveLength(1)
})

test('without a board it tells of oneself alone, and ends with 1 where the service is away', async () => {
  const { code, output } = await status(ben)
  expect([code, output]).toEqual([0, expect.stringContaining('you hold:')])
  expect(output).not.toContain('workers')
  const away = await runCommandIn(
    { variables: { SPECBOARD_URL: 'http://127.0.0.1:9', SPECBOARD_API_KEY: ben.key }, folder: tmpdir() },
    'status',
  )
  expect([away.code, away.errors]).toEqual([1, expect.stringContaining('does not answer')])
})
