import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import yauzl from 'yauzl'
import yazl from 'yazl'

const fromBuffer = promisify(
  yauzl.fromBuffer as (
    bytes: Buffer,
    options: yauzl.Options,
    done: (error: Error | null, zip: yauzl.ZipFile) => void,
  ) => void,
)

/** The files of a zip by name, in their order. */
export async function zipEntries(file: Blob): Promise<Map<string, Buffer>> {
  const zip = await fromBuffer(Buffer.from(await file.arrayBuffer()), { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk)
    entries.set(entry.fileName, Buffer.concat(chunks))
  }
  return entries
}

/** A zip of some files; an entry may be a link or hold bytes. */
export async function zipOf(
  entries: Iterable<readonly [name: string, content: string | Buffer]>,
  { mode = 0o100644 }: { readonly mode?: number } = {},
): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name, { mode })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The lines of a file of JSON lines. */
// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
export const linesOf = (bytes: Buffer | undefined): any[] =>
  String(bytes)
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

const textOf = (lines: readonly object[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')

/** A changed archive that is still valid: its manifest has the correct sizes, hashes and counts. */
export async function changedArchive(
  archive: Blob,
  // biome-ignore lint/suspicious/noExplicitAny: records of all kinds
  change: (records: any[], events: any[], agents: any[]) => unknown,
): Promise<Buffer> {
  const entries = await zipEntries(archive)
  const lists = ['records.jsonl', 'events.jsonl', 'agents.jsonl'].map(name => linesOf(entries.get(name)))
  const [records = [], events = [], agents = []] = lists
  const changed = change(records, events, agents)
  const result = Array.isArray(changed) ? changed : records
  entries.set('records.jsonl', Buffer.from(textOf(result)))
  entries.set('events.jsonl', Buffer.from(textOf(events)))
  entries.set('agents.jsonl', Buffer.from(textOf(agents)))
  return zipOf(signed(entries, result))
}

/** The entries of an archive with a manifest that fits them. */
function signed(
  entries: ReadonlyMap<string, Buffer>,
  records: readonly { readonly type: string; readonly id?: string }[],
) {
  const manifest = JSON.parse(String(entries.get('manifest.json')))
  const board = { ...manifest.board, id: records.find(({ type }) => type === 'board')?.id ?? manifest.board.id }
  const others = [...entries].filter(([name]) => name !== 'manifest.json')
  const counts = Object.fromEntries(
    [...Map.groupBy(records, ({ type }) => type)].map(([type, group]) => [type, group.length]),
  )
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const listed = others.map(([name, bytes]) => ({ name, size: bytes.length, sha256: hash(bytes) }))
  return [['manifest.json', JSON.stringify({ ...manifest, board, counts, entries: listed })], ...others] as const
}
