import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HttpEmbedder } from './http.ts'

const patience = { timeoutMs: 60_000, retries: 2, pauseMs: 1 }

interface Seen {
  authorization: string | undefined
  model: string
  input: string[]
}

let server: Server | undefined
afterEach(() => {
  vi.restoreAllMocks()
  server?.closeAllConnections()
  server?.close()
})

/** Lets the test decide when the latest call times out. */
function timeIsUp(): () => void {
  const timeouts: AbortController[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const timeout = new AbortController()
    timeouts.push(timeout)
    return timeout.signal
  })
  return () => timeouts.at(-1)?.abort(new DOMException('The call timed out.', 'TimeoutError'))
}

/** An endpoint that gives these answers in turn and repeats the last. 'hang' does not answer until the call times out. */
async function endpoint(answers: readonly ((seen: Seen) => { status?: number; body?: unknown } | 'hang')[]) {
  const calls: Seen[] = []
  const endTime = timeIsUp()
  server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      const call = { authorization: request.headers.authorization, ...JSON.parse(text) } as Seen
      calls.push(call)
      const answer = answers[Math.min(calls.length, answers.length) - 1]!(call)
      if (answer === 'hang') return endTime()
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body ?? {}))
    })
  })
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const embedder = new HttpEmbedder(
    { url: `http://127.0.0.1:${port}/v1/embeddings`, model: 'small', apiKey: 'secret', dimension: 2 },
    patience,
  )
  return { embedder, calls }
}

const lengths = ({ input }: Seen) => ({
  body: { data: input.map((text, index) => ({ index, embedding: [text.length, 0] })).reverse() },
})

describe('an embedding endpoint', () => {
  test('gets model, texts and key; vectors are normalised and in the order of the texts', async () => {
    const { embedder, calls } = await endpoint([lengths])
    expect(embedder.isLoaded).toBe(false)
    expect(await embedder.embed(['a', 'bb'])).toEqual([Float32Array.of(1, 0), Float32Array.of(1, 0)])
    expect(calls).toEqual([{ authorization: 'Bearer secret', model: 'small', input: ['a', 'bb'] }])
    expect(embedder.isLoaded).toBe(true)
  })

  test('gets 64 texts at a time', async () => {
    const { embedder, calls } = await endpoint([lengths])
    expect(await embedder.embed(Array.from({ length: 130 }, (_, index) => `text ${index}`))).toHaveLength(130)
    expect(calls.map(call => call.input.length)).toEqual([64, 64, 2])
  })

  test('is retried twice when it is overloaded or silent', async () => {
    const { embedder, calls } = await endpoint([() => ({ status: 503 }), () => 'hang', lengths])
    expect(await embedder.embed(['a'])).toHaveLength(1)
    expect(calls).toHaveLength(3)
  })

  test('fails after two retries and shows it', async () => {
    const { embedder, calls } = await endpoint([() => ({ status: 500 })])
    await expect(embedder.embed(['a'])).rejects.toThrow('answered 500')
    expect(calls).toHaveLength(3)
    expect(embedder.isLoaded).toBe(false)
  })

  test.each([
    ['a refusal', { status: 401 }, 'answered 401'],
    ['unexpected form', { body: { vectors: [] } }, 'unexpected form'],
    ['another dimension', { body: { data: [{ index: 0, embedding: [1] }] } }, '1 dimensions instead of 2'],
  ])('is not retried: %s', async (_, answer, message) => {
    const { embedder, calls } = await endpoint([() => answer])
    await expect(embedder.embed(['a'])).rejects.toThrow(message)
    expect(calls).toHaveLength(1)
  })
})
