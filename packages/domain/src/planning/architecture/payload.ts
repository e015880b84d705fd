import type { DiagramPayload } from '@specboard/contract'
import type { Json } from '@specboard/storage'
import type { z } from 'zod'
import { canonicalJson, sha256 } from '../../lib/canonical-json.ts'
import { isObject } from './references.ts'

/** The content of a diagram (A.5). */
export type DiagramContent = z.output<typeof DiagramPayload>

/** A payload as stored, with its hash and size (A.5). */
export interface Payload {
  /** Canonical JSON. */
  readonly content: Json<DiagramContent>
  /** The SHA-256 of the content's UTF-8 bytes, lower-case hex. */
  readonly content_hash: string
  /** The size of the content in UTF-8, bytes. */
  readonly size_bytes: number
}

/** The size of a payload's canonical JSON, bytes; JSON.stringify writes the same apart from key order. */
export const payloadSize = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A payload in its stored form. */
export function payloadOf(value: DiagramContent): Payload {
  const content = canonicalJson(value)
  return { content, content_hash: sha256(content), size_bytes: Buffer.byteLength(content) }
}

/** The format of a diagram without one (A.2). */
export const defaultFormat = (payload: unknown): 'excalidraw_json' | 'raw' =>
  isObject(payload) && Array.isArray(payload.elements) ? 'excalidraw_json' : 'raw'
