import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalformedMultipart } from './malformed-multipart.ts'
import { findPart } from './multipart.ts'

const boundary = 'edge'

/** Cuts bytes into pieces of these sizes, repeatedly. */
function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const contentOf = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The headers and bytes of the part at this position, counted from 0; undefined if there is none. */
async function read(body: Uint8Array | string, place = 0, sizes: readonly number[] = [7]) {
  let index = 0
  const source = Readable.from(cut(Buffer.from(body), sizes), { objectMode: false })
  const part = await findPart(source, boundary, headers =>
    index++ === place ? Object.fromEntries(headers) : undefined,
  )
  return part === undefined ? undefined : { headers: part.chosen, bytes: await contentOf(part.bytes) }
}

const disposition = 'Content-Disposition: form-data; name="file"'

const part = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${disposition}\r\n\r\n`), bytes, Buffer.from('\r\n')])

test('reads any bytes unchanged, wherever they are cut', async () => {
  // The hard cases are bytes that look like parts of a boundary.
  const piece = fc.constantFrom('\r', '\n', '-', '--', '\r\n--', `\r\n--${boundary.slice(0, -1)}`, 'edge', 'x')
  const bytes = fc.array(piece, { maxLength: 30 }).map(pieces => Buffer.from(pieces.join('')))
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 4 }), sizes, async (contents, at) => {
      fc.pre(
        contents.every(
          content => !content.includes(`\r\n--${boundary}`) && !`\r\n${content}`.includes(`\r\n--${boundary}`),
        ),
      )
      const body = Buffer.concat([...contents.map(part), Buffer.from(`--${boundary}--\r\n`)])
      const last = contents.length - 1
      expect((await read(body, last, at))?.bytes).toEqual(contents[last])
      if (last > 0) await expect(read(body, last - 1, at)).rejects.toThrow('An upload has one part')
    }),
  )
})

test('skips preamble and epilogue; header names are in lower case, their values in UTF-8', async () => {
  const body = `hello\r\n--edge\r\n${disposition}\r\nX-Name:  é \r\nA: b\r\n\r\nbody\r\n--edge--\r\nthe end`
  expect(await read(body)).toEqual({
    headers: { 'content-disposition': 'form-data; name="file"', 'x-name': 'é', a: 'b' },
    bytes: Buffer.from('body'),
  })
})

test('returns undefined if no part was accepted', async () => {
  expect(await read(Buffer.concat([part(Buffer.from('one')), Buffer.from('--edge--')]), 1)).toBeUndefined()
})

test('reads no faster than the bytes are consumed', async () => {
  let chunkCount = 0
  async function* endless() {
    yield Buffer.from(`--edge\r\n${disposition}\r\n\r\n`)
    for (;;) {
      chunkCount++
      yield Buffer.alloc(64 << 10)
    }
  }
  const found = await findPart(Readable.from(endless(), { objectMode: false }), boundary, () => true)
  const bytes = found!.bytes[Symbol.asyncIterator]()
  for (let index = 0; index < 5; index++) await bytes.next()
  expect(chunkCount).toBeLessThan(12)
  await bytes.return?.()
})

test('fails if the source breaks off, before or while the bytes are read', async () => {
  const source = new Readable({ read: () => {} })
  source.push(`--edge\r\n${disposition}\r\n\r\nbytes`)
  const found = await findPart(source, boundary, () => true)
  source.destroy(new Error('aborted'))
  await expect(contentOf(found!.bytes)).rejects.toBeInstanceOf(MalformedMultipart)
  await expect(findPart(source, boundary, () => true)).rejects.toBeInstanceOf(MalformedMultipart)
})

describe('malformed', () => {
  const malformed: [string, string][] = [
    ['nothing', ''],
    ['no boundary', 'just text'],
    ['an end within a part', '--edge\r\nA: b\r\n\r\nbody'],
    ['an end within headers', '--edge\r\nA: b\r\n'],
    ['no last boundary', '--edge\r\nA: b\r\n\r\nbody\r\n--edge\r\n'],
    ['text behind a boundary', '--edge more\r\n\r\nbody\r\n--edge--'],
    ['a header without name', '--edge\r\n: b\r\n\r\nbody\r\n--edge--'],
    ['a header without colon', '--edge\r\nnonsense\r\n\r\nbody\r\n--edge--'],
    ['a part without Content-Disposition', '--edge\r\nA: b\r\n\r\nbody\r\n--edge--'],
    ['a header without end', `--edge\r\n${disposition}\r\nA: ${'b'.repeat(20_000)}`],
    ['a header that is too long', `--edge\r\n${disposition}\r\nA: ${'b'.repeat(20_000)}\r\n\r\nbody\r\n--edge--`],
    ['too many headers', `--edge\r\n${disposition}\r\n${'A: b\r\n'.repeat(40)}\r\nbody\r\n--edge--`],
  ]

  test.each(malformed)('%s', async (_, body) => {
    for (const sizes of [[11], [1 << 20]]) await expect(read(body, 5, sizes)).rejects.toBeInstanceOf(MalformedMultipart)
  })

  test.each(malformed.slice(2, 4))('%s that was accepted', async (_, body) => {
    await expect(read(body.replace('A: b', disposition))).rejects.toBeInstanceOf(MalformedMultipart)
  })
})

test('hardly anything is parsed after a part that is refused', async () => {
  const body = Buffer.concat(Array.from({ length: 1_000 }, () => part(Buffer.from('x'))))
  let partCount = 0
  const found = findPart(Readable.from([body], { objectMode: false }), boundary, () => {
    partCount++
    throw new Error('refused')
  })
  await expect(found).rejects.toThrow('refused')
  expect(partCount).toBeLessThan(20)
})
