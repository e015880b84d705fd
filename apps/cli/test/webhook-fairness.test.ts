import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Receiver } from '../../../packages/domain/test/receiver.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

/** Half of the requests that are open at once (walls 7). */
const roomOfABoard = 8

let world: World
let slow: Receiver
let quick: Receiver
/** What the slow receiver has not answered yet. */
const unanswered: ServerResponse[] = []

beforeAll(async () => {
  world = await World.start({ webhookAllowedHosts: ['127.0.0.1'] })
  slow = await Receiver.start()
  slow.answer = response => unanswered.push(response)
  quick = await Receiver.start()
})

afterAll(async () => {
  for (const response of unanswered) response.writeHead(204).end()
  await world.stop()
  await slow.stop()
  await quick.stop()
})

test('slow receivers of one board have half of the room, and those of another board are told at once (walls 7)', async () => {
  const [crowded, other] = [await Scene.on(world), await Scene.on(world)]
  const hook = (scene: Scene, { url }: Receiver) =>
    world.ok('create_webhook', { board_id: scene.boardId, url, events: ['ideation_created'] })
  const hooks: { id: string }[] = []
  for (let count = 0; count < roomOfABoard + 2; count++) hooks.push(await hook(crowded, slow))
  await hook(other, quick)

  // One event for each webhook, and a ping that waits for none before it.
  await crowded.ideation()
  for (const { id } of hooks) await world.ok('ping_webhook', { webhook_id: id })
  await slow.came(roomOfABoard)
  const idea = await other.ideation()
  const [delivery] = await quick.came(1)
  expect(delivery!.body.data.entity_id).toBe(idea)
  expect(slow.received).toHaveLength(roomOfABoard)

  // Each answer makes room for one more, of the crowded board too.
  slow.answer = response => response.writeHead(204).end()
  for (const response of unanswered.splice(0)) response.writeHead(204).end()
  await slow.came(2 * hooks.length)
  expect(quick.received).toHaveLength(1)
})
