import { hash } from 'node:crypto'
import { type AnyOperation, isReading, registry } from '@specboard/contract'
import { z } from 'zod'

/** The entity tag of an answer's JSON text: a hash, so that it changes with every nested record too. */
export const etagOf = (json: string): string => `"${hash('sha1', json, 'base64url')}"`

const carriesVersion = (operation: AnyOperation) =>
  operation.response instanceof z.ZodObject &&
  ('version' in operation.response.shape || 'updated_at' in operation.response.shape)

const representations = new WeakMap<AnyOperation, AnyOperation | null>()

/** The GET operation of the record that an operation addresses, where its answer carries a version: whose tag `If-Match` names. */
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

/** Whether an operation's answer is the record's representation, so that it carries the record's tag. */
export const answersRepresentation = (operation: AnyOperation): boolean => {
  const representation = representationOf(operation)
  return representation !== null && representation.response === operation.response && operation.status === 200
}

/** Whether an operation heeds `If-Match`: it writes, and its record has a tag. */
export const heedsMatch = (operation: AnyOperation): boolean =>
  !isReading(operation) && representationOf(operation) !== null
