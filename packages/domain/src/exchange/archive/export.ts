import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { features } from '@specboard/contract'
import yazl from 'yazl'
import { attachmentPath } from '../../delivery/attachments/files/attachment-path.ts'
import type { AttachmentFiles } from '../../delivery/attachments/files/files.ts'
import { incomingPath } from '../../delivery/attachments/files/incoming.ts'
import { fileMissing } from '../../delivery/attachments/missing.ts'
import { multiStep } from '../../kernel/implement.ts'
import { contentDisposition } from '../../lib/content-disposition.ts'
import { archiveForm } from './form.ts'
import { files } from './layout.ts'
import { archiveFormat, archiveVersion, type Manifest } from './manifest.ts'
import { type Spool, spoolBoard } from './spool.ts'
import type { SpooledFile } from './spooled-lines.ts'

type Exchange = (typeof features)['exchange']

/** The time of every entry, so that archives of an unchanged board are equal. */
const entryTime = new Date(1980, 0, 1)

const entryOptions = { mtime: entryTime, mode: 0o100600, forceDosTimestamp: true } as const

/**
 * export_board (exchange 1): the lines are written to files first, then the archive is sent as fast as it is consumed.
 */
export const exportBoard = multiStep<Exchange['export_board']>(async ({ params, query }, steps) => {
  const { folder, files: stored, address, version, exports, gates } = steps.environment
  const { now, callerId, form } = await steps.read(async ctx => ({
    now: ctx.now(),
    callerId: ctx.caller.id,
    form: archiveForm(ctx.db),
  }))
  const into = await incomingPath(folder, 'export')
  await mkdir(into, { mode: 0o700 })
  try {
    const spool = await exports.run({ agentId: callerId, boardId: params.board_id }, () =>
      gates.through(
        () => Promise.resolve(params.board_id),
        () => spoolBoard({ address, boardId: params.board_id, parts: query, into, form }, steps.signal()),
      ),
    )
    // The board was read without checking the caller again, although the caller may have waited long for it.
    await steps.read(async () => {})
    await refuseMissing(stored, spool)
    const filename = `${spool.board.key}-${now.slice(0, 10).replaceAll('-', '')}.specboard.zip`
    return {
      filename,
      mimeType: 'application/zip',
      headers: { 'content-disposition': contentDisposition(filename), 'x-content-type-options': 'nosniff' },
      content: removing(into, archiveBytes(stored, spool, manifestOf(spool, { now, version }))),
    }
  } catch (error) {
    await rm(into, { recursive: true, force: true })
    throw error
  }
})

/** @throws DomainError FILE_MISSING */
async function refuseMissing(stored: AttachmentFiles, { board, attachments }: Spool): Promise<void> {
  for (const attachment of attachments)
    if ((await stored.size(attachmentPath(board.id, attachment.filename))) === undefined) throw fileMissing(attachment)
}

/** The attachments of an archive: each file once, by its hash. */
const distinctFiles = ({ attachments }: Spool) => [...new Map(attachments.map(file => [file.sha256, file])).values()]

/** The spooled files by the names of their entries, in the order of an archive. */
const linesOf = ({ records, events, agents }: Spool): (readonly [string, SpooledFile])[] => [
  [files.records, records],
  ...(events === null ? [] : [[files.events, events] as const]),
  [files.agents, agents],
]

function manifestOf(spool: Spool, { now, version }: { readonly now: string; readonly version: string }): Manifest {
  return {
    format: archiveFormat,
    version: archiveVersion,
    exported_at: now,
    service_version: version,
    board: spool.board,
    counts: spool.counts,
    entries: [
      ...linesOf(spool).map(([name, { size, sha256 }]) => ({ name, size, sha256 })),
      ...distinctFiles(spool).map(({ sha256, size }) => ({ name: files.attachment(sha256), size, sha256 })),
    ],
  }
}

/** The bytes of an archive. Files are opened when they are needed. */
async function* archiveBytes(stored: AttachmentFiles, spool: Spool, manifest: Manifest): AsyncGenerator<Uint8Array> {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  // A file that cannot be read aborts the answer.
  zip.on('error', error => output.destroy(error))
  const add = (name: string, compress: boolean, open: () => Readable) =>
    zip.addReadStreamLazy(name, { ...entryOptions, compress }, done => done(null, open()))
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), files.manifest, {
    ...entryOptions,
    compress: false,
  })
  for (const [name, { path, compressible }] of linesOf(spool)) add(name, compressible, () => createReadStream(path))
  // Most attachments are compressed already, and what shrinks too much is refused as a zip bomb.
  for (const { sha256, filename } of distinctFiles(spool))
    add(files.attachment(sha256), false, () => Readable.from(stored.read(attachmentPath(spool.board.id, filename))))
  zip.end()
  yield* output
}

/**
 * Removes a folder once the bytes made from its files were sent, or are no longer wanted. A generator would not do: one
 * that was never started skips its `finally`.
 */
function removing(folder: string, bytes: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
  const ended = async () => {
    await bytes.return(undefined)
    await rm(folder, { recursive: true, force: true })
    return { done: true, value: undefined } as const
  }
  const next = async () => {
    try {
      const piece = await bytes.next()
      return piece.done ? await ended() : piece
    } catch (error) {
      await ended()
      throw error
    }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: ended }) }
}
