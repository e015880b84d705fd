import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const chunkSize = 1 << 20

/** The sizes of a large body, and of one that exceeds the limit of JSON, bytes. */
const sizes = { large: 4 << 20, tooLarge: 9 << 20 } as const

/**
 * Sends a large body and reads nothing before all of it is sent. It is sent in few large pieces, because the server
 * discards the rest of a refused body for half a second only.
 * @returns the first line of the answer
 */
async function sentInFull(path: string, type: string, size: number, isLengthStated: boolean): Promise<string> {
  const socket = connect(world.running.port, '127.0.0.1').pause()
  // A write that fails reports it twice.
  socket.on('error', () => {})
  const send = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(bytes, error => {
        socket.off('error', reject)
        if (error) reject(error)
        else resolve()
      })
    })
  const framing = isLengthStated ? `Content-Length: ${size}` : 'Transfer-Encoding: chunked'
  const key = `X-API-Key: ${world.owner.key}`
  await send([`POST ${path} HTTP/1.1`, 'Host: localhost', key, `Content-Type: ${type}`, framing, '', ''].join('\r\n'))
  const part = Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const chunk = Buffer.alloc(chunkSize, ' ')
  for (let offset = 0; offset < size; offset += chunkSize) {
    if (offset === 0) part.copy(chunk)
    else chunk.fill(' ')
    await send(
      isLengthStated
        ? chunk
        : Buffer.concat([Buffer.from(`${chunkSize.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    )
  }
  if (!isLengthStated) await send('0\r\n\r\n')
  const reply = once(socket, 'data')
  socket.resume()
  const [bytes] = await reply
  socket.destroy()
  return String(bytes).split('\r\n')[0]!
}

const multipart = 'multipart/form-data; boundary=edge'

describe('a client that sends the whole body before it reads receives the refusal', () => {
  test.each<[string, () => string, string, number]>([
    ['a JSON body that is too large', () => '/api/v1/boards', 'application/json', 413],
    ['a message that is too large', () => '/mcp', 'application/json', 413],
    ['an unknown path', () => '/api/v1/nothing', 'application/json', 404],
    ['a file for an unknown card', () => `/api/v1/attachments/${scene.boardId}/none`, multipart, 404],
    ['a file for an invalid ticket', () => '/mcp/uploads?ticket=none', multipart, 404],
  ])('%s', async (_, path, type, status) => {
    for (const isLengthStated of [true, false])
      expect(await sentInFull(path(), type, status === 413 ? sizes.tooLarge : sizes.large, isLengthStated)).toContain(
        ` ${status} `,
      )
  })
})
