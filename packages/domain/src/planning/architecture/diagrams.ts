import type { ArchitectureDiagramInput } from '@specboard/contract'
import type { z } from 'zod'
import type { Diagram } from '../../schema/contents.ts'
import { type DiagramContent, defaultFormat, payloadOf } from './payload.ts'
import type { PayloadWrite } from './write.ts'

/** A diagram in a request. */
export type DiagramInput = z.output<typeof ArchitectureDiagramInput>

/** Diagrams to store, and their payloads to write. */
export interface ListedDiagrams {
  readonly diagrams: Diagram[]
  readonly payloads: PayloadWrite[]
}

const noPayload = { adapter_payload_ref: null, content_hash: null, size_bytes: null }

/**
 * The diagrams of a sent list (A.2, A.5). New ones get an id; a payload replaces the stored one under the same ref;
 * without a payload the stored one is kept, unless the ref is explicitly null.
 */
export function listDiagrams(
  inputs: readonly DiagramInput[],
  stored: readonly Diagram[],
  newId: () => string,
): ListedDiagrams {
  const byId = new Map(stored.map(diagram => [diagram.id, diagram]))
  const ids = new Set([...byId.keys(), ...inputs.map(diagram => diagram.id)])
  const payloads: PayloadWrite[] = []
  const diagrams = inputs.map(({ id: sentId, format, adapter_payload, adapter_payload_ref, ...fields }) => {
    const id = sentId?.trim() ? sentId : newDiagramId(ids, newId)
    const before = byId.get(id)
    const described = {
      id,
      ...fields,
      format: format ?? formatOf(adapter_payload, before),
    }
    if (adapter_payload != null) {
      const { diagram, payload } = withPayload({ ...described, ...storedPayload(before) }, adapter_payload, newId)
      payloads.push(...payload)
      return diagram
    }
    return { ...described, ...(adapter_payload_ref === null ? noPayload : storedPayload(before)) }
  })
  return { diagrams, payloads }
}

const formatOf = (payload: unknown, before: Diagram | undefined): Diagram['format'] => {
  const byContent = defaultFormat(payload)
  return byContent === 'raw' ? (before?.format ?? byContent) : byContent
}

const storedPayload = (before: Diagram | undefined) =>
  before === undefined
    ? noPayload
    : {
        adapter_payload_ref: before.adapter_payload_ref,
        content_hash: before.content_hash,
        size_bytes: before.size_bytes,
      }

/** A diagram whose payload replaces the stored one; equal content is not written again. */
export function withPayload(
  before: Diagram,
  value: DiagramContent,
  newId: () => string,
): { readonly diagram: Diagram; readonly payload: PayloadWrite[] } {
  const { content, content_hash, size_bytes } = payloadOf(value)
  const ref = before.adapter_payload_ref ?? newId()
  const isNew = before.content_hash !== content_hash
  return {
    diagram: { ...before, adapter_payload_ref: ref, content_hash, size_bytes },
    payload: isNew ? [{ ref, diagramId: before.id, content }] : [],
  }
}

/** A new diagram id that is not taken yet; it is added to `used`. */
export function newDiagramId(used: Set<string | null | undefined>, newId: () => string): string {
  let id: string
  do id = `diag_${newId().slice(-8)}`
  while (used.has(id))
  used.add(id)
  return id
}
