import { expect, test } from 'vitest'
import { UploadSlots } from './upload-slots.ts'

test('sixteen uploads run at once, and one that ends makes room, whether it succeeds or fails', async () => {
  const slots = new UploadSlots()
  const ends: PromiseWithResolvers<void>[] = []
  const begin = () => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return slots.run(() => end.promise)
  }
  const running = Array.from({ length: 16 }, begin)
  await expect(begin()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  ends[0]!.resolve()
  await running[0]
  ends[1]!.reject(new Error('refused'))
  await expect(running[1]).rejects.toThrow('refused')
  begin()
  begin()
  await expect(begin()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})
