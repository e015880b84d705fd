import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type IssueItem, issueItem } from '@specboard/contract'
import { type IncomingFile, InvalidInput } from '@specboard/domain'
import { parametersOf } from './header-parameters.ts'
import { type HttpContext, nodeOf } from './http-env.ts'
import { Pace } from './limits/pace.ts'
import { MalformedMultipart } from './malformed-multipart.ts'
import type { PartHeaders } from './multipart.ts'

/** The file of an upload, or what is wrong with the body. */
export type ReadUpload =
  | { readonly ok: true; readonly file: IncomingFile }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

/** The fields of a file that come from the headers of its part. */
type FileHead = Pick<IncomingFile, 'filename' | 'mimeType'>

/** Finds the part `file` of a multipart body. Its bytes are read only when it is opened. */
export async function readUpload(c: HttpContext): Promise<ReadUpload> {
  try {
    return { ok: true, file: await uploadedFile(c) }
  } catch (error) {
    if (error instanceof InvalidInput) return { ok: false, items: error.items }
    throw error
  }
}

/**
 * Finds the part `file` of a multipart body. Its bytes are read only when it is opened; at their end they fail if another
 * part follows.
 * @throws InvalidInput if there is no such part or the body is malformed
 */
export async function uploadedFile(c: HttpContext): Promise<IncomingFile> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) throw missing()
  const boundary = parametersOf(type).get('boundary') ?? ''
  if (boundary === '') throw new MalformedMultipart('The boundary is missing.')
  const { findPart } = await import('./multipart.ts')
  // An upload has one part (trust 1): what follows another part is ignored, and a part after the file is refused.
  const found = await findPart(bodyOf(c), boundary, headers => {
    const head = fileHeadOf(headers)
    if (head === undefined) throw missing()
    return head
  })
  if (found === undefined) throw missing()
  return { ...found.chosen, open: () => found.bytes }
}

/** The body as it arrives. Once the answer is sent, the rest is released, so that the server can discard it. */
function bodyOf(c: HttpContext): Readable {
  const { incoming, outgoing } = nodeOf(c)
  if (incoming === undefined)
    return c.req.raw.body === null ? Readable.from([]) : Readable.fromWeb(c.req.raw.body as ReadableStream)
  outgoing?.once('finish', () => incoming.unpipe())
  endIfSlow(incoming)
  return incoming
}

/** How often the pace of an upload is checked, ms. */
const lookMs = 1_000

/** Ends an upload that is too slow (walls 4). While nobody reads its bytes, its sender is not to blame. */
function endIfSlow(incoming: IncomingMessage): void {
  const pace = new Pace(performance.now())
  const looking = setInterval(() => {
    const bytes = incoming.socket.bytesRead
    if (incoming.readableFlowing === false) pace.rest(performance.now(), bytes)
    else if (pace.isTooSlow(performance.now(), bytes)) incoming.destroy()
  }, lookMs).unref()
  const end = () => clearInterval(looking)
  incoming.once('end', end).once('close', end)
}

const missing = () =>
  new InvalidInput([issueItem(['body', 'file'], 'missing', 'Send multipart/form-data with a part named file.')])

/** The file of a part. Clients escape quotes and line breaks in its name as specified in the HTML standard. */
function fileHeadOf(headers: PartHeaders): FileHead | undefined {
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = parametersOf(disposition)
  const filename = parameters.get('filename')?.replaceAll(/%(?:22|0A|0D)/gi, decodeURIComponent)
  if (!/^form-data\s*;/i.test(disposition) || parameters.get('name') !== 'file' || filename === undefined)
    return undefined
  return { filename, mimeType: headers.get('content-type') ?? null }
}
