import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed, isCompressible, preferredEncoding } from './compressed.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;q=1.0, br;q=0.5', 'gzip'],
  ['br; q=0.8, gzip ;q=0.2', 'br'],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=x', undefined],
])('Accept-Encoding %j gets %j', (header, encoding) => {
  expect(preferredEncoding(header)).toBe(encoding)
})

test.each([
  ['a'.repeat(1024), false],
  ['a'.repeat(1025), true],
  ['€'.repeat(341), false],
  ['€'.repeat(342), true],
])('only more than 1 KiB is compressed', (text, expected) => {
  expect([isCompressible(text), isCompressible(Buffer.from(text))]).toStrictEqual([expected, expected])
})

test.each([2_500, 100_000])('what is compressed is the text, of %d characters', async length => {
  const text = 'text '.repeat(length / 5)
  expect(brotliDecompressSync(await compressed(text, 'br')).toString()).toBe(text)
  expect(gunzipSync(await compressed(Buffer.from(text), 'gzip')).toString()).toBe(text)
})
