import { type AnyOperation, featureOf, features, isReading } from '@specboard/contract'
import { z } from 'zod'
import type { JsonObject } from '../calls/lean-value.ts'
import { toolAnnotations } from '../tools/annotations.ts'
import { wholeDefinition } from '../tools/definitions.ts'
import { fullDescription } from '../tools/full-schema.ts'
import { searchOperations } from './search.ts'

const featureNames = Object.keys(features) as [string, ...string[]]

/** Arguments of find_operations. */
export const FindOperations = z.object({
  query: z.string(),
  feature: z.enum(featureNames).optional(),
  detail: z.enum(['names', 'schema', 'full']).default('schema'),
  limit: z.int().min(1).max(20).optional(),
})

const defaultLimit = 5

/**
 * The operations that match a query, best first (mcp 11); an empty query with a feature lists the whole feature.
 * @param bound whether the view fills in the board, so that schemas leave it out
 */
export function findOperations(
  { query, feature, detail, limit }: z.output<typeof FindOperations>,
  mayCall: (operation: AnyOperation) => boolean,
  bound = false,
): JsonObject {
  const fits = (operation: AnyOperation) =>
    mayCall(operation) && (feature === undefined || featureOf(operation) === feature)
  const found = searchOperations(query, fits)
  const most = limit ?? (query.trim() === '' && feature !== undefined ? found.length : defaultLimit)
  return { items: found.slice(0, most).map(operation => described(operation, detail, bound)), total: found.length }
}

function described(operation: AnyOperation, detail: 'names' | 'schema' | 'full', bound: boolean): JsonObject {
  const { name, title, description, effect } = operation
  if (detail === 'names') return { name, title }
  const brief = {
    name,
    title,
    description,
    read_only: isReading(operation),
    destructive: toolAnnotations[effect].destructiveHint,
  }
  if (detail === 'full') return { ...brief, ...fullDescription(operation, bound) }
  return { ...brief, input_schema: wholeDefinition(operation, bound).inputSchema }
}
