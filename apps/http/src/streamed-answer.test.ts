import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { HttpEnv } from './http-env.ts'
import { sendChunks, streamedAnswer } from './streamed-answer.ts'

const headers = { 'content-type': 'text/csv', 'content-length': '4' }

/** An application that streams these chunks, and a record of what happened. */
function streaming(chunks: () => AsyncGenerator<string | Uint8Array>) {
  const state = { ended: false, cut: false, faults: [] as unknown[] }
  async function* watched() {
    try {
      yield* chunks()
    } finally {
      state.ended = true
    }
  }
  const app = new Hono<HttpEnv>().get('/', c =>
    streamedAnswer(c, headers, watched(), sendChunks, fault => {
      state.faults.push(fault)
    }),
  )
  const outgoing = {
    destroy: () => {
      state.cut = true
    },
  }
  const get = async (method: 'GET' | 'HEAD') => app.request('/', { method }, { outgoing })
  return { state, get }
}

test('sends texts and bytes unchanged', async () => {
  const { state, get } = streaming(async function* () {
    yield 'a,b'
    yield new Uint8Array([10])
  })
  const answer = await get('GET')
  expect(Object.fromEntries(answer.headers)).toMatchObject(headers)
  expect(await answer.text()).toBe('a,b\n')
  expect(state).toStrictEqual({ ended: true, cut: false, faults: [] })
})

test('does not start for HEAD', async () => {
  let hasStarted = false
  const { get } = streaming(async function* () {
    hasStarted = true
    yield 'a,b\n'
  })
  const answer = await get('HEAD')
  expect([Object.fromEntries(answer.headers), await answer.text(), hasStarted]).toStrictEqual([headers, '', false])
})

test('an error cuts the connection and is reported', async () => {
  const fault = new Error('the disk broke')
  const { state, get } = streaming(async function* () {
    yield 'a'
    throw fault
  })
  await (await get('GET')).text().catch(() => {})
  expect(state).toStrictEqual({ ended: true, cut: true, faults: [fault] })
})

test('ends when the client disconnects', async () => {
  const { state, get } = streaming(async function* () {
    for (;;) yield 'a'
  })
  const reader = (await get('GET')).body!.getReader()
  await reader.read()
  await reader.cancel()
  await expect.poll(() => state.ended, { interval: 1 }).toBe(true)
  expect(state).toMatchObject({ cut: false, faults: [] })
})
