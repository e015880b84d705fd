import { readdirSync } from 'node:fs'
import { changedArchive, zipEntries, zipOf } from '../../../../apps/cli/test/support/zip-entries.ts'
import { type Attack, each } from '../attack.ts'
import { type ReceivedAnswer, send, sendImport } from '../send.ts'
import type { Target } from '../target.ts'

/** Ids that are not UUIDs: paths, references, empty, long, upper case. */
const hostile = {
  'a path upwards': '../../.ssh',
  'an absolute path': '/tmp/specboard-attacked',
  'a path with backslashes': '..\\..\\.ssh',
  'a reference': 'ATT-2',
  'a folder': 'a/b',
  nothing: '',
  'a long one': 'x'.repeat(5_000),
  capitals: '0192D5C0-0000-7000-8000-000000000001',
}

const bytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => Uint8Array.from(buffer)

/** Gives the first record of a type another id, wherever the archive names it. */
const renamed = (archive: Blob, type: string, id: string): Promise<Buffer> =>
  changedArchive(archive, (...lists) => {
    const before = lists[0].find(record => record.type === type).id
    const renameIn = (value: Record<string, unknown>): void => {
      for (const [name, member] of Object.entries(value))
        if (member === before) value[name] = id
        else if (typeof member === 'object' && member !== null) renameIn(member as Record<string, unknown>)
    }
    for (const line of lists.flat()) renameIn(line)
  })

/** Imports the archive with another id; what was imported is removed again. */
const withId = async (type: string, id: string, keepIds: boolean, target: Target, key: string | undefined) =>
  imported(bytes(await renamed(target.archive, type, id)), `?keep_ids=${keepIds}`, target, key)

async function imported(file: Uint8Array<ArrayBuffer>, query: string, target: Target, key: string | undefined) {
  const answer = await sendImport(target, key, file, query)
  if (answer.status === 201) {
    const { board_id } = JSON.parse(answer.text)
    const removed = await send(target, 'DELETE', `/api/v1/boards/${board_id}`, { key: target.ownerKey })
    if (removed.status >= 500) return removed
  }
  return answer
}

/** The archive with an entry whose name contains `..`. */
async function withEntryAbove(target: Target): Promise<Uint8Array<ArrayBuffer>> {
  const entries = await zipEntries(target.archive)
  const zip = await zipOf([...entries, ['xx/xx/evil.txt', 'evil']])
  const text = zip.toString('latin1').replaceAll('xx/xx/evil.txt', '../../evil.txt')
  return bytes(Buffer.from(text, 'latin1'))
}

/** Whether the folder above the service's data contains anything else. */
const strayed = (_: readonly ReceivedAnswer[], { root }: Target): string | undefined => {
  const found = readdirSync(root).filter(name => name !== 'data')
  return found.length > 0 ? `wrote ${found.join(', ')} beside its folder` : undefined
}

const paths = {
  'a board upwards': '/api/v1/boards/..%2f..%2fsecret.key',
  'an attachment upwards': '/api/v1/attachments/..%2f..%2f/..%2f/..%2fsecret.key',
  'a card by a foreign path': '/api/v1/cards/%2e%2e%2fboards',
  'a page upwards': '/assets/..%2f..%2fpackage.json',
  'a guide upwards': '/docs/guide/..%2f..%2f..%2fpackage.json',
  'a long id': `/api/v1/cards/${'x'.repeat(8_000)}`,
}

/** Ids and paths from outside (walls 1). */
export const ids: readonly Attack[] = [
  ...(['board', 'spec', 'card'] as const).map(
    (type): Attack => ({
      name: `an archive with another id of a ${type}, kept`,
      answers: { nobody: [401], none: [403], full: [400] },
      variations: each(hostile, (id, target, key) => withId(type, id, true, target, key)),
      holds: strayed,
    }),
  ),
  {
    name: 'an archive with another id of a board, replaced, and its removal',
    answers: { none: [403], full: [201] },
    variations: each(hostile, (id, target, key) => withId('board', id, false, target, key)),
    holds: strayed,
  },
  {
    name: 'an archive with an entry upwards',
    answers: { none: [403], full: [400] },
    variations: { one: async (target, key) => sendImport(target, key, await withEntryAbove(target)) },
    holds: strayed,
  },
  {
    name: 'paths that lead elsewhere',
    answers: { nobody: [401, 404], none: [403, 404], viewer: [404], editor: [404] },
    variations: each(paths, (path, target, key) => send(target, 'GET', path, { key })),
    holds: answers => (answers.some(({ text }) => text.includes('"dependencies"')) ? 'a file was read' : undefined),
  },
]
