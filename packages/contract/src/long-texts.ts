import { z } from 'zod'
import { bare } from './issues.ts'
import type { InPieces } from './pieces.ts'

/** Maximum number of characters of a text whose schema has no limit (walls 3, rule 2). */
export const maxCharacters = 200_000

/** Values examined in one piece of work, which takes less than a millisecond. */
const valuesOfAPiece = 5_000

/** Whether a value has a text that may be too long, at any depth. */
export function hasLongText(value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0) {
    const at = waiting.pop()
    if (typeof at === 'string' && at.length > maxCharacters) return true
    if (typeof at === 'object' && at !== null) for (const member of Object.values(at)) waiting.push(member)
  }
  return false
}

/**
 * The issues of texts that are too long although their schemas have no limit; free JSON has limits of its own (trust
 * 1).
 */
export function* longTextIssues(schema: z.ZodType, value: unknown): InPieces<z.core.$ZodIssue[]> {
  const issues: z.core.$ZodIssue[] = []
  let examined = 0
  function* examine(within: z.ZodType, at: unknown, path: (string | number)[]): InPieces<void> {
    if (++examined % valuesOfAPiece === 0) yield
    const inner = bare(within)
    if (inner instanceof z.ZodPipe) yield* examine(inner.in as z.ZodType, at, path)
    else if (inner instanceof z.ZodLazy) yield* examine(inner.unwrap() as z.ZodType, at, path)
    else if (inner instanceof z.ZodUnion) {
      const option = inner.options.find(one => fits(bare(one as z.ZodType), at))
      if (option !== undefined) yield* examine(option as z.ZodType, at, path)
    } else if (inner instanceof z.ZodString && typeof at === 'string') {
      if (inner.maxLength === null && at.length > maxCharacters) issues.push(tooLong(at, path))
    } else if (inner instanceof z.ZodArray && Array.isArray(at)) {
      for (const [index, item] of at.entries()) yield* examine(inner.element as z.ZodType, item, [...path, index])
    } else if (inner instanceof z.ZodObject && typeof at === 'object' && at !== null) {
      for (const [name, member] of Object.entries(at))
        if (Object.hasOwn(inner.shape, name)) yield* examine(inner.shape[name] as z.ZodType, member, [...path, name])
    } else if (inner instanceof z.ZodRecord && typeof at === 'object' && at !== null) {
      for (const [name, member] of Object.entries(at))
        yield* examine(inner.valueType as z.ZodType, member, [...path, name])
    }
  }
  yield* examine(schema, value, [])
  return issues
}

/** Whether a value is of the kind that an option of a union takes. */
function fits(option: z.ZodType, value: unknown): boolean {
  if (typeof value === 'string') return option instanceof z.ZodString
  if (Array.isArray(value)) return option instanceof z.ZodArray
  return typeof value === 'object' && (option instanceof z.ZodObject || option instanceof z.ZodRecord)
}

const tooLong = (input: string, path: (string | number)[]): z.core.$ZodIssue => ({
  code: 'too_big',
  origin: 'string',
  maximum: maxCharacters,
  inclusive: true,
  input,
  path,
  message: `must have at most ${maxCharacters} characters`,
})
