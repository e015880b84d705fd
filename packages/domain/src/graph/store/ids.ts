import { createHash } from 'node:crypto'
import type { NodeKey } from '../extraction/draft.ts'
import { artifactOf } from '../extraction/refs.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A UUID v7 with the time of another one and bits derived from a text, so that a rebuilt graph has the same ids. */
function derivedId(timeOf: string, text: string): string {
  const time = uuid.test(timeOf) ? timeOf.slice(0, 13) : '00000000-0000'
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${time}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`
}

/** The id of a node: always the same for a board, type and reference. */
export const nodeIdOf = (boardId: string, { node_type, ref }: NodeKey): string =>
  derivedId(artifactOf(ref)?.id ?? boardId, `${boardId} ${node_type} ${ref}`)

/** The id of an edge: always the same for a type and pair of ends. */
export const edgeIdOf = (edgeType: string, from: string, to: string): string =>
  derivedId(from, `${edgeType} ${from} ${to}`)
