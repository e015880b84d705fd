import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const ownerKey = `dash_${'0123456789abcdef'.repeat(3)}`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specboard-match-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The first call in a fresh process. */
async function firstCall(
  name: string,
  args: {
    readonly params?: Readonly<Record<string, string>>
    readonly body: object
    readonly ifMatch?: readonly string[]
  },
) {
  vi.resetModules()
  const { operationByName, parseInput } = await import('@specboard/contract')
  const { openService } = await import('./open.ts')
  const { service, close } = await openService({ folder, version: '1', ownerKey, workers: false })
  try {
    const operation = operationByName.get(name)!
    const parsed = parseInput(operation, { params: args.params ?? {}, query: {}, body: args.body })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
    const caller = await service.authenticate(ownerKey)
    const { body } = await service.perform({
      operation,
      input: parsed.input,
      caller,
      ifMatch: args.ifMatch,
    })
    return body as { readonly id: string }
  } finally {
    await close()
  }
}

test('the first call checks the tag of a record of a feature that is not loaded yet', async () => {
  const { id: board_id } = await firstCall('create_board', { body: { name: 'Board', description: '' } })
  const call = firstCall('create_ideation', { params: { board_id }, body: { title: 'Idea' }, ifMatch: ['"stale"'] })
  await expect(call).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
})
