import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zipBombLimits } from './layout.ts'
import { LineFile } from './spooled-lines.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-lines-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const page = randomBytes(8_000).toString('hex')
const manyLines = (text: string, count: number) => Array.from({ length: count }, (_, id) => ({ id, text }))

test.each([
  ['a small file of one letter', manyLines('a'.repeat(100_000), 2), true],
  ['a large file of one letter', manyLines('a'.repeat(100_000), 60), false],
  ['a page that each record repeats', manyLines(page, 300), false],
  [
    'a long text after a random one',
    [{ text: randomBytes(20_000).toString('hex') }, ...manyLines('a'.repeat(1_000_000), 20)],
    false,
  ],
  ['random texts', Array.from({ length: 300 }, (_, id) => ({ id, text: randomBytes(4_000).toString('hex') })), true],
])('%s is compressed in an archive only where no reader refuses that', async (_, lines, compressible) => {
  const file = new LineFile(join(folder, randomBytes(8).toString('hex')))
  for (const line of lines) file.add(line)
  const { path, size, compressible: isCompressible } = await file.end()
  const bytes = readFileSync(path)
  expect(bytes.length).toBe(size)
  expect(isCompressible).toBe(compressible)
  const refused =
    size > zipBombLimits.largeEntry && size > zipBombLimits.maxCompressionRatio * deflateRawSync(bytes).length
  expect(isCompressible && refused).toBe(false)
})
