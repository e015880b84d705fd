import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { operationByName, parseInput } from '@specboard/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attachmentFolder } from './delivery/attachments/files/attachment-path.ts'
import type { Caller } from './kernel/context.ts'
import type { Call } from './kernel/service/call.ts'
import { type OpenedService, openService } from './open.ts'
import { migratedFolder } from './schema/empty-database.testing.ts'

let folder: string
let opened: OpenedService
let caller: Caller
let board: string

beforeEach(async () => {
  folder = await migratedFolder('specboard-abort-')
  opened = await openService({ folder, version: '1', workers: false })
  caller = await opened.service.authenticate(opened.ownerKey)
  board = (await create('create_board', { body: { name: 'Board', description: '' } })).id
})

afterEach(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
  readonly file?: object
}

function perform(name: string, { params = {}, body, file }: CallInput, abort?: AbortSignal) {
  const operation = operationByName.get(name)!
  const parsed = parseInput(operation, { params, query: {}, body })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
  const input = { ...parsed.input, ...(file !== undefined && { file }) } as Call['input']
  return opened.service.perform({ operation, input, caller, abort })
}

const create = async (name: string, input: CallInput) => (await perform(name, input)).body as { id: string }

const ideation = (title: string) => ({ params: { board_id: board }, body: { title } })
const titles = async () => {
  const { body } = await perform('list_ideations', { params: { board_id: board } })
  return (body as { title: string }[]).map(({ title }) => title)
}

describe('an aborted call', () => {
  test('is rolled back while it waits for the writer; the other calls of its group are not', async () => {
    const received: string[] = []
    opened.service.listen(events => received.push(...events.map(event => event.entity.type)))
    const controller = new AbortController()
    const reason = new Error('enough')
    const outcomes = [
      perform('create_ideation', ideation('Before')),
      perform('create_ideation', ideation('Ended'), controller.signal),
      perform('create_ideation', ideation('After')),
    ]
    controller.abort(reason)
    expect((await Promise.allSettled(outcomes)).map(outcome => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    await expect(outcomes[1]).rejects.toBe(reason)
    expect((await titles()).toSorted()).toEqual(['After', 'Before'])
    expect(received).toEqual(['ideation', 'ideation'])
  })

  test('stays written when it was already committed', async () => {
    const controller = new AbortController()
    await perform('create_ideation', ideation('Done'), controller.signal)
    controller.abort()
    expect(await titles()).toEqual(['Done'])
  })

  test('is told when to come back where the service stops meanwhile', async () => {
    opened.service.end()
    const exported = perform('export_board', { params: { board_id: board } })
    await expect(exported).rejects.toMatchObject({ code: 'BUSY', extra: { retry_after: 5 } })
  })

  test('leaves neither record nor file in the middle of an upload', async () => {
    const { id: spec_id } = await create('create_spec', { params: { board_id: board }, body: { title: 'Spec' } })
    await opened.service.database.write(db => db.updateTable('specs').set({ status: 'in_progress' }).execute())
    const card = await create('create_card', { params: { board_id: board }, body: { title: 'Card', spec_id } })
    const controller = new AbortController()
    const open = async function* () {
      yield new Uint8Array(1000)
      controller.abort(new Error('enough'))
      yield new Uint8Array(1000)
    }
    const upload = { params: { board_id: board, card_id: card.id }, file: { filename: 'a', mimeType: null, open } }
    await expect(perform('upload_attachment', upload, controller.signal)).rejects.toThrow('enough')
    const rows = await opened.service.database.read(db => db.selectFrom('attachments').select('id').execute())
    expect(rows).toEqual([])
    expect(await filesIn(join(folder, attachmentFolder))).toEqual([])
    expect(await perform('upload_attachment', upload)).toMatchObject({ status: 201, body: { size: 2000 } })
    expect(await filesIn(join(folder, attachmentFolder))).toHaveLength(1)
  })
})

const filesIn = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
