/** How a failing store is interpreted. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attachmentPath } from './attachment-path.ts'
import { s3Address } from './s3-address.ts'
import { S3Client } from './s3-client.ts'
import { S3Files } from './s3-files.ts'

let server: Server
let files: S3Files
let faults: string[]
let answer: { status: number; body: string; list?: number }

beforeEach(async () => {
  faults = []
  server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      const isList = request.url!.includes('list-type')
      response.writeHead(isList && answer.list !== undefined ? answer.list : answer.status)
      response.end(answer.body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = s3Address(`s3://bucket?endpoint=http://127.0.0.1:${port}`)
  const keys = async () => ({ accessKeyId: 'key', secretAccessKey: 'secret' })
  files = new S3Files(address, new S3Client(address, keys, ({ message }) => faults.push(message)), Date.now)
})

afterEach(() => new Promise<void>(resolve => server.close(() => resolve())))

async function* bytes() {
  yield Buffer.from('bytes')
}

/** The path of an attachment. */
const path = attachmentPath(randomUUID(), 'a')

const error = (code: string) => `<Error><Code>${code}</Code><Message>no</Message></Error>`

test.each([
  ['has no such bucket', { status: 404, body: error('NoSuchBucket') }, /bucket is missing/],
  ['refuses the key', { status: 403, body: error('AccessDenied') }, /403 AccessDenied/],
  ['fails', { status: 500, body: error('InternalError') }, /500 InternalError/],
])('a store that %s is unreachable, not without the file', async (_, answered, fault) => {
  answer = answered
  const calls = [
    () => files.put(path, bytes(), 10),
    () => files.size(path),
    () => files.read(path).next(),
    () => files.remove(path),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect(faults.join('\n')).toMatch(fault)
  expect(faults.join()).not.toContain('secret')
})

test('a file is missing only where its bucket is there', async () => {
  answer = { status: 404, body: error('NoSuchKey'), list: 200 }
  expect(await files.size(path)).toBeUndefined()
  expect(faults).toEqual([])
})

test('nobody there is unreachable too', async () => {
  await new Promise<void>(resolve => server.close(() => resolve()))
  await expect(files.size(path)).rejects.toMatchObject({ code: 'UNREACHABLE' })
  server.listen(0)
})
