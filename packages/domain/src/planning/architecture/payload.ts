import type { DiagramPayload } from '@specboard/contract'
import type { Json } from '@specboard/storage'
import type { z } from 'zod'
import { canonicalJson, sha256 } from '../../lib/canonical-json.ts'
import { isObject } from './references.ts'

/** The content of a diagram (A.5). */
export type DiagramContent = z.output<typeof DiagramPayload>

/** A payload as it is stored, with its hash and size (A.5). */
export interface Payload {
  /** Canonical JSON. */
  readonly content: Json<DiagramContent>
  /** Lower-case hex SHA-256 of the content's UTF-8 bytes. */
  readonly content_hash: string
  /** Bytes of the content in UTF-8. */
  readonly size_bytes: number
}

/** The bytes of a payload's canonical JSON. Key order and white space aside it is what JSON.stringify writes. */
export const payloadSize = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A payload in the form that is stored. */
export function payloadOf(value: DiagramContent): Payload {
  const content = canonicalJson(value)
  return { content, content_hash: sha256(content), size_bytes: Buffer.byteLength(content) }
}

/** The format of a diagram that names none (A.2). */
export const defaultFormat = (payload: unknown): 'excalidraw_json' | 'raw' =>
  isObject(payload) && Array.isArray(payload.elements) ? 'excalidraw_json' : 'raw'
