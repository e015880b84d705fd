import { createHash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FileAnswer } from '@specboard/domain'
import { defaultMaxChars } from '../tools/additions.ts'
import type { JsonObject } from './lean-value.ts'
import type { ToolOptions } from './read-arguments.ts'

/** The largest image that is answered as an image block, bytes. */
const maxImageBytes = 1 << 20

/** A file read to its end. */
export interface WholeFile {
  readonly filename: string
  readonly mimeType: string
  readonly size: number
  readonly sha256: string
  /** Empty if only a link is answered. */
  readonly bytes: Buffer
}

/** How a file is read. */
interface FileReading {
  /** Called with the number of bytes read so far. */
  readonly progress?: ((bytes: number) => void) | undefined
  /** Whether the bytes of a file of this type are kept; by default those of types that a tool shows. */
  readonly keeps?: (mimeType: string) => boolean
}

/** Reads a file to its end. */
export async function readFile(file: FileAnswer, { progress, keeps = isShown }: FileReading = {}): Promise<WholeFile> {
  const { filename, content } = file
  const mimeType = file.mimeType.split(';')[0]!.trim()
  const chunks: Buffer[] = []
  const hash = createHash('sha256')
  let length = 0
  for await (const chunk of typeof content === 'string' || content instanceof Uint8Array ? [content] : content) {
    const bytes = Buffer.from(chunk as Uint8Array)
    hash.update(bytes)
    if (keeps(mimeType)) chunks.push(bytes)
    length += bytes.length
    progress?.(length)
  }
  return { filename, mimeType, size: length, sha256: hash.digest('hex'), bytes: Buffer.concat(chunks) }
}

/** Whether a file of this type is shown as text. */
export const isText = (mimeType: string): boolean =>
  mimeType.startsWith('text/') ||
  /^(?:application|image)\/(?:[\w.-]+\+)?(?:json|jsonl|x-ndjson|xml|yaml|x-yaml|toml|javascript|sql|graphql)$/.test(
    mimeType,
  )

/** Whether a file of this type may be answered with its bytes, rather than only as a link. */
const isShown = (mimeType: string): boolean => isText(mimeType) || mimeType.startsWith('image/')

/** The facts about a file that a download answers besides its bytes. */
export interface FileFacts {
  /** Members before those of the file: the id of an attachment. */
  readonly head: JsonObject
  /** The API path that answers the file, with the query of the request. */
  readonly url: string
  /** Where the whole file is: the resource of an attachment, otherwise the address of the API path. */
  readonly uri: string
  /** Whether it is an attachment: its value has the hash of the bytes, and a link only when text is left out. */
  readonly attachment: boolean
}

/**
 * A download in a tool's answer: a slice of text, a small image, or a link (mcp 10). Binary data is never answered as
 * text.
 */
export function downloadValue(
  { filename, mimeType, size, sha256, bytes }: WholeFile,
  { offset = 0, max_chars = defaultMaxChars }: ToolOptions,
  { head, url, uri, attachment }: FileFacts,
): { readonly value: JsonObject; readonly content: CallToolResult['content'] } {
  const value: JsonObject = {
    ...head,
    filename,
    mime_type: mimeType,
    size,
    ...(attachment && { sha256 }),
    url,
  }
  const link = { type: 'resource_link', uri, name: filename, mimeType, size } as const
  if (isText(mimeType)) {
    const text = bytes.toString('utf8')
    const end = offset + max_chars
    Object.assign(value, { text: text.slice(offset, end) }, end < text.length && { next_offset: end })
    return { value, content: attachment && offset === 0 && end >= text.length ? [] : [link] }
  }
  if (mimeType.startsWith('image/') && bytes.length <= maxImageBytes)
    return { value, content: [{ type: 'image', data: bytes.toString('base64'), mimeType }] }
  return { value, content: [link] }
}
