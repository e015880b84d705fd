import { DomainError } from '@specboard/domain'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { HttpEnv } from './http-env.ts'
import { WaitingBodies } from './limits/waiting-bodies.ts'
import { withBody } from './received-body.ts'

const maxBytes = 1 << 20

/** An application that answers how many bytes came, and what waits. */
function appOf(bodies: WaitingBodies, meanwhile: () => Promise<void> = async () => {}) {
  return new Hono<HttpEnv>()
    .post('/', async c =>
      c.json(
        await withBody(
          c,
          maxBytes,
          async ({ byteLength }) => {
            await meanwhile()
            return { bytes: byteLength, waiting: bodies.bytes }
          },
          bodies,
        ),
      ),
    )
    .onError((error, c) => c.json(error instanceof DomainError ? error.detail : String(error)))
}

const post = async (app: ReturnType<typeof appOf>, body: RequestInit['body'], headers: Record<string, string> = {}) =>
  (await app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)).json()

/** A stream of this many bytes, and how many of them were pulled. */
function streamOf(bytes: number) {
  const state = { produced: 0 }
  const stream = new ReadableStream({
    pull(controller) {
      const chunk = Math.min(64 << 10, bytes - state.produced)
      state.produced += chunk
      if (chunk > 0) controller.enqueue(new Uint8Array(chunk))
      else controller.close()
    },
  })
  return { stream, state }
}

const tooLarge = { error: 'PAYLOAD_TOO_LARGE', max_bytes: maxBytes }

test('a body within its limit comes whole, with and without a stated length, and waits while it is used', async () => {
  const bodies = new WaitingBodies()
  const app = appOf(bodies)
  const whole = { bytes: maxBytes, waiting: maxBytes }
  expect(await post(app, new Uint8Array(maxBytes), { 'content-length': String(maxBytes) })).toStrictEqual(whole)
  expect(await post(app, streamOf(maxBytes).stream)).toStrictEqual(whole)
  expect(await post(app, null)).toStrictEqual({ bytes: 0, waiting: 0 })
  expect(bodies.bytes).toBe(0)
})

test('a body above its limit is refused, by its stated length without reading it, else as soon as it is too large', async () => {
  const bodies = new WaitingBodies()
  const app = appOf(bodies)
  const stated = streamOf(64 << 20)
  expect(await post(app, stated.stream, { 'content-length': String(maxBytes + 1) })).toMatchObject(tooLarge)
  expect(stated.state.produced).toBeLessThanOrEqual(64 << 10)
  const streamed = streamOf(64 << 20)
  expect(await post(app, streamed.stream)).toMatchObject(tooLarge)
  expect(streamed.state.produced).toBeLessThanOrEqual(2 * maxBytes)
  expect(bodies.bytes).toBe(0)
})

test('bodies that wait are bounded together, and what was used makes room', async () => {
  const used = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const bodies = new WaitingBodies(100)
  const app = appOf(bodies, () => {
    began.resolve()
    return used.promise
  })
  const first = post(app, new Uint8Array(60))
  await began.promise
  expect(await post(app, new Uint8Array(60))).toMatchObject({ error: 'BUSY' })
  used.resolve()
  await first
  expect(await post(app, new Uint8Array(60))).toMatchObject({ bytes: 60 })
})
