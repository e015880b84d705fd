import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type IssueItem, issueItem } from '@specboard/contract'
import type { IncomingFile } from '@specboard/domain'
import { parametersOf } from './header-parameters.ts'
import { type HttpContext, nodeOf } from './http-env.ts'
import { InvalidInput, MalformedMultipart } from './invalid-input.ts'
import type { PartHeaders } from './multipart.ts'

/** The file of an upload, or what is wrong with the body. */
export type ReadUpload =
  | { readonly ok: true; readonly file: IncomingFile }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

/** What the headers of a part say about its file. */
type FileHead = Pick<IncomingFile, 'filename' | 'mimeType'>

/** Finds the part `file` of a multipart body; its bytes are read when the file is opened. */
export async function readUpload(c: HttpContext): Promise<ReadUpload> {
  try {
    return { ok: true, file: await uploadedFile(c) }
  } catch (error) {
    if (error instanceof InvalidInput) return { ok: false, items: error.items }
    throw error
  }
}

/**
 * The part `file` of a multipart body; its bytes are read when the file is opened.
 * @throws InvalidInput when the part is missing or the body is malformed
 */
export async function uploadedFile(c: HttpContext): Promise<IncomingFile> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) throw missing()
  const boundary = parametersOf(type).get('boundary') ?? ''
  if (boundary === '') throw new MalformedMultipart('The boundary is missing.')
  const { findPart } = await import('./multipart.ts')
  const found = await findPart(bodyOf(c), boundary, fileHeadOf)
  if (found === undefined) throw missing()
  return { ...found.chosen, open: () => found.bytes }
}

/** The body as it arrives. Once the answer is sent, the rest of the body is read and dropped. */
function bodyOf(c: HttpContext): Readable {
  const { incoming, outgoing } = nodeOf(c)
  if (incoming === undefined)
    return c.req.raw.body === null ? Readable.from([]) : Readable.fromWeb(c.req.raw.body as ReadableStream)
  outgoing?.once('finish', () => incoming.unpipe())
  return incoming
}

const missing = () =>
  new InvalidInput([issueItem(['body', 'file'], 'missing', 'Send multipart/form-data with a part named file.')])

/** The file of a part; clients escape quotes and line breaks in its name the way HTML prescribes. */
function fileHeadOf(headers: PartHeaders): FileHead | undefined {
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = parametersOf(disposition)
  const filename = parameters.get('filename')?.replaceAll(/%(?:22|0A|0D)/gi, decodeURIComponent)
  if (!/^form-data\s*;/i.test(disposition) || parameters.get('name') !== 'file' || filename === undefined)
    return undefined
  return { filename, mimeType: headers.get('content-type') ?? null }
}
