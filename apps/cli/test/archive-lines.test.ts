import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFull } from './support/full-board.ts'
import { World } from './support/world.ts'
import { changedArchive, zipEntries, zipOf } from './support/zip-entries.ts'

let other: World
let archive: File

beforeAll(async () => {
  const { world, full } = await startFull()
  archive = await world.archive(full.boardId)
  await world.stop()
  other = await World.start()
})

afterAll(() => other.stop())

// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
type Line = any

const nested = (depth: number): unknown => JSON.parse('{"a":'.repeat(depth) + 1 + '}'.repeat(depth))

const refusal = async (bytes: Buffer) => {
  const { status, body } = await other.call('import_board', { file: new File([bytes], 'board.zip') })
  expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR' }])
  return body.detail
}

const reserved = ['__proto__', 'constructor', 'prototype']

describe.each(['records.jsonl', 'events.jsonl', 'agents.jsonl'])('a line of %s', entry => {
  const changed = (change: (line: Line) => void) =>
    changedArchive(archive, (records, events, agents) => {
      const lines: Readonly<Record<string, Line[]>> = {
        'records.jsonl': records,
        'events.jsonl': events,
        'agents.jsonl': agents,
      }
      change(lines[entry]![0])
    })

  test('that is nested deeper than 200 is 400 with its place (walls 9)', async () => {
    const detail = await refusal(await changed(line => Object.assign(line, { details: nested(201) })))
    expect(detail).toMatchObject({ entry, line: 1, message: expect.stringContaining('nested deeper than 200') })
  })

  test.each(reserved)(
    'with the key %s, in it or in a part of it, is 400 with its place (walls 2, rule 1)',
    async key => {
      const member = JSON.parse(`{"${key}": {"zz": 1}}`)
      const changes: readonly ((line: Line) => void)[] = [
        line => Object.defineProperty(line, key, { value: { zz: 1 }, enumerable: true }),
        line => Object.assign(line, { details: { inner: [member] } }),
      ]
      for (const change of changes)
        expect(await refusal(await changed(change))).toMatchObject({
          entry,
          line: 1,
          message: expect.stringContaining(key),
        })
    },
  )
})

describe('a manifest', () => {
  const manifestOf = async (json: (manifest: string) => string): Promise<Buffer> => {
    const entries = await zipEntries(archive)
    entries.set('manifest.json', Buffer.from(json(String(entries.get('manifest.json')))))
    return zipOf(entries)
  }

  test.each(reserved)('with the key %s is 400 (walls 2, rule 1)', async key => {
    const bytes = await manifestOf(json => json.replace(/"counts":\s*\{/, `"counts":{"${key}":1,`))
    expect(await refusal(bytes)).toMatchObject({ entry: 'manifest.json', message: expect.stringContaining(key) })
  })

  test('of more parts than attachments need is not parsed: the zip is no archive', async () => {
    const { message } = await refusal(await manifestOf(json => json.replace('{', `{"x":[${'[],'.repeat(600_000)}0],`)))
    expect(message).not.toContain('manifest is not valid')
  })

  test.each([
    ['of another format', (json: string) => json.replace('specboard.board', 'other.board')],
    ['that is no JSON', (json: string) => json.slice(1)],
  ])('%s is 400: the lines of an archive are not read as another format (imports 1, rule 3)', async (_, change) => {
    const { message } = await refusal(await manifestOf(change))
    expect(message).toContain('manifest.json')
  })

  test('that is gone is 400', async () => {
    const entries = await zipEntries(archive)
    entries.delete('manifest.json')
    expect((await refusal(await zipOf(entries))).message).toContain('manifest.json')
  })

  test('that is nested deep is 400', async () => {
    const bytes = await manifestOf(json => json.replace('{', `{"x":${'['.repeat(5_000)}${']'.repeat(5_000)},`))
    expect((await refusal(bytes)).message).toContain('nested deeper')
  })
})

test('the archive as it was comes in', async () => {
  expect((await other.ok('import_board', { file: archive })).created.board).toBe(1)
})
