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

const size = 9 << 20
const chunkSize = 1 << 20

/**
 * Sends a large body, and reads nothing before all of it is sent, in a few large pieces: what nobody wants is read
 * over for half a second at most.
 * @returns the first line of the answer
 */
async function sentInFull(path: string, type: string, isLengthSaid: boolean): Promise<string> {
  const socket = connect(world.running.port, '127.0.0.1').pause()
  const send = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(bytes, error => {
        socket.off('error', reject)
        if (error) reject(error)
        else resolve()
      })
    })
  const framing = isLengthSaid ? `Content-Length: ${size}` : 'Transfer-Encoding: chunked'
  const key = `X-API-Key: ${world.owner.key}`
  await send([`POST ${path} HTTP/1.1`, 'Host: localhost', key, `Content-Type: ${type}`, framing, '', ''].join('\r\n'))
  const part = Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const chunk = Buffer.alloc(chunkSize, ' ')
  for (let sent = 0; sent < size; sent += chunkSize) {
    if (sent === 0) part.copy(chunk)
    else chunk.fill(' ')
    await send(
      isLengthSaid ? chunk : Buffer.concat([Buffer.from(`${chunkSize.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    )
  }
  if (!isLengthSaid) await send('0\r\n\r\n')
  const answered = once(socket, 'data')
  socket.resume()
  const [bytes] = await answered
  socket.destroy()
  return String(bytes).split('\r\n')[0]!
}

const multipart = 'multipart/form-data; boundary=edge'

describe('who sends all of a body before reading gets to read its refusal', () => {
  test.each<[string, () => string, string, number]>([
    ['a JSON body that is too large', () => '/api/v1/boards', 'application/json', 413],
    ['a message that is too large', () => '/mcp', 'application/json', 413],
    ['a path that is none', () => '/api/v1/nothing', 'application/json', 404],
    ['a file for a card that is none', () => `/api/v1/attachments/${scene.boardId}/none`, multipart, 404],
    ['a file for a ticket that is none', () => '/mcp/uploads?ticket=none', multipart, 404],
  ])('%s', async (_, path, type, status) => {
    for (const isLengthSaid of [true, false])
      expect(await sentInFull(path(), type, isLengthSaid)).toContain(` ${status} `)
  })
})
