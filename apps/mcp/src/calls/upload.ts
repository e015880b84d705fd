import { issueItem } from '@specboard/contract'
import { DomainError, type IncomingFile } from '@specboard/domain'
import type { ArgumentIssue, ToolOptions } from './read-arguments.ts'

/** Maximum bytes that a tool call uploads; larger files go over HTTP (mcp 10). */
const maxUploadBytes = 4 << 20

/** The file of an upload, or the faults in its source. */
export type UploadSource =
  | { readonly ok: true; readonly file: IncomingFile }
  | { readonly ok: false; readonly items: readonly ArgumentIssue[] }

/**
 * The file in the arguments of an upload: exactly one of `text` and `content_base64`.
 * @param route the HTTP route that accepts larger files
 * @throws DomainError PAYLOAD_TOO_LARGE naming the route
 */
export function uploadSource(options: ToolOptions, route: string): UploadSource {
  const { filename, mime_type, text, content_base64 } = options
  if ((text === undefined) === (content_base64 === undefined)) {
    const problem = text === undefined ? 'neither was sent' : 'both were sent'
    return fault(['text'], `send exactly one of text and content_base64; ${problem}`)
  }
  const offset = content_base64 === undefined ? -1 : badBase64At(content_base64)
  if (offset !== -1) return fault(['content_base64'], `is not base64 from character ${offset} on`, { offset })
  const bytes = text === undefined ? Buffer.from(content_base64 ?? '', 'base64') : Buffer.from(text)
  if (bytes.length > maxUploadBytes) {
    throw new DomainError('PAYLOAD_TOO_LARGE', `A tool uploads at most 4 MiB. Send the file with POST ${route}.`, {
      max_bytes: maxUploadBytes,
    })
  }
  const open = async function* () {
    yield new Uint8Array(bytes)
  }
  return { ok: true, file: { filename: filename ?? 'file', mimeType: mime_type ?? null, open } }
}

const fault = (loc: string[], msg: string, ctx?: Readonly<Record<string, unknown>>): UploadSource => ({
  ok: false,
  items: [issueItem(loc, 'value_error', msg, ctx)],
})

/** The index at which a text stops being base64; -1 if all of it is. Line breaks are allowed. */
export function badBase64At(text: string): number {
  const end = text.trimEnd().length
  let padding = 0
  while (text[end - padding - 1] === '=') padding++
  const body = text.slice(0, end - padding)
  const wrongAt = body.search(/[^A-Za-z0-9+/\r\n]/)
  if (wrongAt !== -1) return wrongAt
  const digits = body.replaceAll(/[\r\n]/g, '').length
  const needed = (4 - (digits % 4)) % 4
  return needed === 3 || (padding !== 0 && padding !== needed) ? end - padding : -1
}
