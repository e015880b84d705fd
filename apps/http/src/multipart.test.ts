import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalformedMultipart, parametersOf, readParts } from './multipart.ts'

const boundary = 'edge'

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

interface Read {
  readonly headers: Record<string, string>
  readonly bytes: Buffer
}

async function read(body: Uint8Array | string, sizes: readonly number[] = [7]): Promise<Read[]> {
  const parts: Read[] = []
  for await (const part of readParts(cut(Buffer.from(body), sizes), boundary)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of part.bytes) chunks.push(chunk)
    parts.push({ headers: Object.fromEntries(part.headers), bytes: Buffer.concat(chunks) })
  }
  return parts
}

const part = (bytes: Uint8Array) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])

test('whatever the bytes are and wherever they are cut, the parts come out as they went in', async () => {
  // Bytes that look like parts of a boundary are the hard ones.
  const piece = fc.constantFrom('\r', '\n', '-', '--', '\r\n--', `\r\n--${boundary.slice(0, -1)}`, 'edge', 'x')
  const bytes = fc.array(piece, { maxLength: 30 }).map(pieces => Buffer.from(pieces.join('')))
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 4 }), sizes, async (contents, at) => {
      fc.pre(
        contents.every(
          content => !content.includes(`\r\n--${boundary}`) && !`\r\n${content}`.includes(`\r\n--${boundary}`),
        ),
      )
      const body = Buffer.concat([...contents.map(part), Buffer.from(`--${boundary}--\r\n`)])
      expect((await read(body, at)).map(({ bytes: content }) => content)).toEqual(contents)
    }),
  )
})

test('preamble, padding and epilogue are read over; header names are in lower case', async () => {
  const body = `hello\r\n--edge \t\r\nX-Name:  é \r\nA: b\r\n\r\nbody\r\n--edge--\r\nthe end`
  expect(await read(body)).toEqual([{ headers: { 'x-name': 'é', a: 'b' }, bytes: Buffer.from('body') }])
})

test('a part that nobody reads is skipped', async () => {
  const body = Buffer.concat([part(Buffer.from('one')), part(Buffer.from('two')), Buffer.from('--edge--')])
  const names: string[] = []
  for await (const { headers, bytes } of readParts(cut(body, [5]), boundary)) {
    names.push(headers.get('content-disposition') ?? '')
    if (names.length === 1) for await (const _ of bytes) break
  }
  expect(names).toHaveLength(2)
})

describe('malformed', () => {
  test.each([
    ['nothing', ''],
    ['no boundary', 'just text'],
    ['an end within a part', '--edge\r\nA: b\r\n\r\nbody'],
    ['an end within headers', '--edge\r\nA: b\r\n'],
    ['no last boundary', '--edge\r\nA: b\r\n\r\nbody\r\n--edge\r\n'],
    ['text behind a boundary', '--edge more\r\n\r\nbody\r\n--edge--'],
    ['a header without name', '--edge\r\n: b\r\n\r\nbody\r\n--edge--'],
    ['a header without colon', '--edge\r\nnonsense\r\n\r\nbody\r\n--edge--'],
    ['a header without end', `--edge\r\nA: ${'b'.repeat(20_000)}`],
    ['too many headers', `--edge\r\n${'A: b\r\n'.repeat(40)}\r\nbody\r\n--edge--`],
  ])('%s', async (_, body) => {
    await expect(read(body, [11])).rejects.toBeInstanceOf(MalformedMultipart)
  })
})

test.each([
  ['form-data; name="file"; filename="a.txt"', { name: 'file', filename: 'a.txt' }],
  ['form-data; name=file; filename=""', { name: 'file', filename: '' }],
  ['form-data; name="a\\"b"; filename="C:\\\\dir\\x.txt"', { name: 'a"b', filename: 'C:\\dir\\x.txt' }],
  [
    `form-data; FileName="a"; filename*=UTF-8''gr%C3%B6%C3%9Fe`,
    { filename: 'größe', 'filename*': `UTF-8''gr%C3%B6%C3%9Fe` },
  ],
  [`form-data; filename="a"; filename*=UTF-8''%ZZ`, { filename: 'a', 'filename*': `UTF-8''%ZZ` }],
  ['multipart/form-data; boundary="x y"', { boundary: 'x y' }],
])('the parameters of %s', (value, parameters) => {
  expect(Object.fromEntries(parametersOf(value))).toEqual(parameters)
})
