import type { IncomingFile } from '@specboard/domain'
import { expect, test } from 'vitest'
import { UploadSlots } from './upload-slots.ts'

const file: IncomingFile = {
  filename: 'a.txt',
  mimeType: null,
  open: async function* () {
    yield new Uint8Array(1)
  },
}

/** Begins calls that end when the test says so. */
function beginner() {
  const slots = new UploadSlots()
  return (agentId: string, reads = true) => {
    const end = Promise.withResolvers<void>()
    const run = slots.run({ agentId }, file, async incoming => {
      if (reads) for await (const _ of incoming.open());
      await end.promise
    })
    return { end, run }
  }
}

const refusal = { code: 'RATE_LIMITED', extra: { retry_after: 1 } }

test('four files of an agent are received at once, and one that ends makes room, whether it succeeds or fails', async () => {
  const begin = beginner()
  const running = Array.from({ length: 4 }, () => begin('a'))
  await expect(begin('a').run).rejects.toMatchObject(refusal)
  begin('b')
  running[0]!.end.reject(new Error('refused'))
  await expect(running[0]!.run).rejects.toThrow('refused')
  running[1]!.end.resolve()
  await running[1]!.run
  begin('a')
  begin('a')
  await expect(begin('a').run).rejects.toMatchObject(refusal)
})

test('sixteen files of all agents are', async () => {
  const begin = beginner()
  for (let index = 0; index < 16; index++) begin(`agent ${index}`)
  await expect(begin('another').run).rejects.toMatchObject(refusal)
})

test('a call that has not begun to read its file takes no slot', async () => {
  const begin = beginner()
  for (let index = 0; index < 20; index++) begin('a', false)
  const reading = begin('a')
  reading.end.resolve()
  await expect(reading.run).resolves.toBeUndefined()
})
