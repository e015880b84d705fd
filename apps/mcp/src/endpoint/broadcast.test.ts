import { rm } from 'node:fs/promises'
import { operationByName, parseInput } from '@specboard/contract'
import { type Caller, type OpenedService, openService } from '@specboard/domain'
import { migratedFolder } from '@specboard/domain/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Broadcast, type Notice } from './broadcast.ts'

let folder: string
let opened: OpenedService
let caller: Caller
let board_id: string
let broadcast: Broadcast

beforeEach(async () => {
  folder = await migratedFolder('specboard-broadcast-')
  opened = await openService({ folder, version: '1', workers: false })
  caller = await opened.service.authenticate(opened.ownerKey)
  board_id = (await perform('create_board', {}, { name: 'Board', description: '' })).id
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  broadcast = new Broadcast(opened.service, () => {})
})

afterEach(async () => {
  broadcast.close()
  vi.useRealTimers()
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

async function perform(name: string, params: Readonly<Record<string, string>>, body: object) {
  const operation = operationByName.get(name)!
  const parsed = parseInput(operation, { params, query: {}, body })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
  return (await opened.service.perform({ operation, input: parsed.input, caller })).body as { id: string }
}

/** The notifications to a stream that has subscribed to one resource, in order. */
async function listening(uri: string) {
  const notices: Notice[] = []
  const arrived = Promise.withResolvers<void>()
  const send = (notice: Notice) => {
    notices.push(notice)
    arrived.resolve()
  }
  const key = opened.ownerKey!
  await broadcast.open({ key, caller, boardId: undefined, uris: new Set([uri]), send, close: () => {} })
  return { notices, arrived: arrived.promise }
}

test('updates of one resource within 250 ms are sent once (mcp 14.1)', async () => {
  const { id: ideation_id } = await perform('create_ideation', { board_id }, { title: 'Idea' })
  const uri = `specboard://ideations/${ideation_id}`
  const { notices, arrived } = await listening(uri)
  for (const title of ['a', 'b', 'c']) await perform('update_ideation', { ideation_id }, { title })
  await vi.advanceTimersByTimeAsync(249)
  expect(notices).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await arrived
  await vi.advanceTimersByTimeAsync(1_000)
  expect(notices).toEqual([{ kind: 'resource_updated', uri }])
})
