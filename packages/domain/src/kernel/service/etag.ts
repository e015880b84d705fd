import { hash } from 'node:crypto'
import { type AnyOperation, isReading, registry } from '@specboard/contract'
import { z } from 'zod'

/** The entity tag of an answer's JSON text: its hash, so that a change of a nested record changes the tag too. */
export const etagOf = (json: string | Uint8Array): string => `"${hash('sha1', json, 'base64url')}"`

const carriesVersion = (operation: AnyOperation) =>
  operation.response instanceof z.ZodObject &&
  ('version' in operation.response.shape || 'updated_at' in operation.response.shape)

const representations = new WeakMap<AnyOperation, AnyOperation | null>()

/**
 * The GET operation of the record that an operation addresses, if its answer carries a version. `If-Match` names the
 * tag of that answer.
 */
export function representationOf(operation: AnyOperation): AnyOperation | null {
  const known = representations.get(operation)
  if (known !== undefined) return known
  const candidates = registry
    .filter(
      get =>
        get.method === 'GET' &&
        carriesVersion(get) &&
        (operation.path === get.path || operation.path.startsWith(`${get.path}/`)),
    )
    .sort((a, b) => b.path.length - a.path.length)
  const found = candidates[0] ?? null
  representations.set(operation, found)
  return found
}

/** Whether an operation answers the record's representation and so carries its tag. */
export const answersRepresentation = (operation: AnyOperation): boolean => {
  const representation = representationOf(operation)
  return representation !== null && representation.response === operation.response && operation.status === 200
}

/** Whether an operation checks `If-Match`: it writes, and its record has a tag. */
export const heedsMatch = (operation: AnyOperation): boolean =>
  !isReading(operation) && representationOf(operation) !== null
