import { type IssueItem, issueItem } from '@specboard/contract'
import type { IncomingFile } from '@specboard/domain'
import type { Exchange } from './exchange.ts'
import { MalformedMultipart, type Part, parametersOf, readParts } from './multipart.ts'

/** The file of an upload, or what is wrong with the body. */
export type ReadUpload =
  | { readonly ok: true; readonly file: IncomingFile }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

const missing = (): ReadUpload => ({
  ok: false,
  items: [issueItem(['body', 'file'], 'missing', 'Send multipart/form-data with a part named file.')],
})

/** What a malformed body is told, wherever in it that showed. */
export const malformed = ({ message }: MalformedMultipart): IssueItem => issueItem(['body'], 'value_error', message)

/** Finds the part `file` of a multipart body; its bytes are read by whoever opens it. */
export async function readUpload(exchange: Exchange): Promise<ReadUpload> {
  const type = exchange.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) return missing()
  const boundary = parametersOf(type).get('boundary') ?? ''
  if (boundary === '') return { ok: false, items: [malformed(new MalformedMultipart('The boundary is missing.'))] }
  try {
    for await (const part of withoutReturn(readParts(exchange.request, boundary))) {
      const file = fileOf(part)
      if (file !== undefined) return { ok: true, file }
    }
  } catch (error) {
    if (error instanceof MalformedMultipart) return { ok: false, items: [malformed(error)] }
    throw error
  }
  return missing()
}

/** The file of a part; clients escape quotes and line breaks in its name as HTML has it. */
function fileOf({ headers, bytes }: Part): IncomingFile | undefined {
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = parametersOf(disposition)
  const filename = parameters.get('filename')?.replaceAll(/%(?:22|0A|0D)/gi, decodeURIComponent)
  if (!/^form-data\s*;/i.test(disposition) || parameters.get('name') !== 'file' || filename === undefined)
    return undefined
  return { filename, mimeType: headers.get('content-type') ?? null, open: () => bytes }
}

/** Leaving the loop leaves the reader where it is: the part that was found is still to be read. */
const withoutReturn = <Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> => ({
  [Symbol.asyncIterator]: () => ({ next: () => items.next() }),
})
