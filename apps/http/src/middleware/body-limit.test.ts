import { DomainError } from '@specboard/domain'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { HttpEnv } from '../http-env.ts'
import { bodyLimit, maxBodyBytes } from './body-limit.ts'

const app = new Hono<HttpEnv>()
  .post('/', bodyLimit, async c => c.json({ bytes: (await c.req.raw.arrayBuffer()).byteLength }))
  .onError((error, c) => c.json(error instanceof DomainError ? error.detail : String(error), 413))

const sent = async (body: Uint8Array<ArrayBuffer> | ReadableStream | null, headers: Record<string, string> = {}) =>
  (await app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)).json()

/** A stream of `bytes` bytes, and how many of them were requested. */
function streamOf(bytes: number) {
  const state = { made: 0 }
  const stream = new ReadableStream({
    pull(controller) {
      const chunk = Math.min(1 << 20, bytes - state.made)
      state.made += chunk
      if (chunk > 0) controller.enqueue(new Uint8Array(chunk))
      else controller.close()
    },
  })
  return { stream, state }
}

const tooLarge = { error: 'PAYLOAD_TOO_LARGE', message: 'A JSON body has at most 8 MiB.', max_bytes: maxBodyBytes }

test('accepts a body that fits, with or without a declared length', async () => {
  const length = { 'content-length': String(maxBodyBytes) }
  expect(await sent(new Uint8Array(maxBodyBytes), length)).toStrictEqual({ bytes: maxBodyBytes })
  expect(await sent(streamOf(maxBodyBytes).stream)).toStrictEqual({ bytes: maxBodyBytes })
  expect(await sent(null)).toStrictEqual({ bytes: 0 })
})

test('refuses a body that is declared too large before reading it', async () => {
  const { stream, state } = streamOf(64 << 20)
  expect(await sent(stream, { 'content-length': String(maxBodyBytes + 1) })).toStrictEqual(tooLarge)
  expect(state.made).toBeLessThanOrEqual(1 << 20)
})

test('refuses a body without a declared length as soon as it grows too large', async () => {
  const { stream, state } = streamOf(64 << 20)
  expect(await sent(stream)).toStrictEqual(tooLarge)
  expect(state.made).toBeLessThanOrEqual(maxBodyBytes + (2 << 20))
})
