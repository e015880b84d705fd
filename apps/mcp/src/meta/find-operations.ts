import { type AnyOperation, featureOf, features, isReading, operationByName } from '@specboard/contract'
import { z } from 'zod'
import type { JsonObject } from '../calls/lean-value.ts'
import { toolAnnotations } from '../tools/annotations.ts'
import { wholeDefinition } from '../tools/definitions.ts'
import { fullDescription } from '../tools/full-schema.ts'
import { allWordsOf, answersTo, searchOperations } from './search.ts'
import { isBulk, isPlainWork, wishIn } from './wishes.ts'

const featureNames = Object.keys(features) as [string, ...string[]]

/** Arguments of find_operations. */
export const FindOperations = z.object({
  query: z.string(),
  feature: z.enum(featureNames).optional(),
  detail: z.enum(['brief', 'names', 'schema', 'full']).default('brief'),
  limit: z.int().min(1).max(20).optional(),
})

const defaultLimit = 5

/** How many of the best operations are considered as possible answers to a request. */
const maxConsidered = 3

/** The part of a query that is searched; more adds nothing. */
const maxQueryCharacters = 1_000

/** The answer to a request that no operation fulfils: the nearest ones, and what to do instead if that is known. */
const none = (nearest: readonly string[], instead?: string): JsonObject => ({
  items: [],
  none: true,
  ...(nearest.length > 0 && { nearest: nearest.slice(0, 3) }),
  ...(instead !== undefined && { instead }),
})

/** The operations found, create_card first where a request wants work that needs no plan (crew 6.8). */
function lightPathFirst(
  words: readonly string[],
  found: readonly AnyOperation[],
  fits: (operation: AnyOperation) => boolean,
): readonly AnyOperation[] {
  const filing = operationByName.get('create_card')!
  return isPlainWork(words) && fits(filing) ? [filing, ...found.filter(one => one !== filing)] : found
}

/**
 * The operations that match a query, best first (mcp 11); an empty query with a feature lists the whole feature. If
 * none does what is asked, the answer says so (crew 9.1).
 * @param bound whether the view fills in the board, so that schemas leave it out
 */
export function findOperations(
  { query, feature, detail, limit }: z.output<typeof FindOperations>,
  mayCall: (operation: AnyOperation) => boolean,
  bound = false,
): JsonObject {
  const fits = (operation: AnyOperation) =>
    mayCall(operation) && (feature === undefined || featureOf(operation) === feature)
  const request = query.slice(0, maxQueryCharacters)
  const words = allWordsOf(request)
  const found = lightPathFirst(words, searchOperations(request, fits), fits)
  if (request.trim() !== '' && feature === undefined && !isBulk(words)) {
    const wish = wishIn(words)
    if (wish !== undefined)
      return none(
        wish.nearest.filter(name => fits(operationByName.get(name)!)),
        wish.instead,
      )
    // This asks whether any operation does it, not whether this caller may call it.
    const best = searchOperations(request, () => true).slice(0, maxConsidered)
    if (!best.some(operation => answersTo(operation, request))) return none(found.map(({ name }) => name))
  }
  const max = limit ?? (query.trim() === '' && feature !== undefined ? found.length : defaultLimit)
  const items = found.slice(0, max).map(operation => described(operation, detail, bound))
  return { items: isBulk(words) ? [severalAtOnce, ...items.slice(0, max - 1)] : items, total: found.length }
}

/** The answer to a request about many records. */
const severalAtOnce = {
  name: 'run_operations',
  required: ['calls'],
  description: 'Run up to 25 operations in order, such as one call for each record.',
}

function described(
  operation: AnyOperation,
  detail: z.output<typeof FindOperations>['detail'],
  bound: boolean,
): JsonObject {
  const { name, title, description, effect } = operation
  if (detail === 'names') return { name, title }
  const { inputSchema } = wholeDefinition(operation, bound)
  if (detail === 'brief') return { name, ...(inputSchema.required && { required: inputSchema.required }), description }
  const brief = {
    name,
    title,
    description,
    read_only: isReading(operation),
    destructive: toolAnnotations[effect].destructiveHint,
  }
  if (detail === 'full') return { ...brief, ...fullDescription(operation, bound) }
  return { ...brief, input_schema: inputSchema }
}
