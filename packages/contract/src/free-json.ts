import { z } from 'zod'

/** The limits of free JSON (trust 1). */
export const freeJsonLimits = { depth: 64, members: 20_000, characters: 1_000_000 } as const

/** A limit that a value breaks, as an item of a 422 reports it. */
interface BrokenLimit {
  readonly type: 'too_deep' | 'too_long' | 'string_too_long'
  readonly message: string
  readonly ctx: Readonly<Record<string, number>>
}

const tooDeep: BrokenLimit = {
  type: 'too_deep',
  message: `must not be nested deeper than ${freeJsonLimits.depth}`,
  ctx: { max_depth: freeJsonLimits.depth },
}

const tooLong: BrokenLimit = {
  type: 'too_long',
  message: `must have at most ${freeJsonLimits.members} members in all`,
  ctx: { max_length: freeJsonLimits.members },
}

const stringTooLong: BrokenLimit = {
  type: 'string_too_long',
  message: `must have texts of at most ${freeJsonLimits.characters} characters`,
  ctx: { max_length: freeJsonLimits.characters },
}

/** The issue of an object with more keys than free JSON may have members. */
export const tooManyKeys = {
  code: 'custom',
  message: tooLong.message,
  params: { type: tooLong.type, ctx: tooLong.ctx },
} as const

const Limit = z.object({ type: z.enum(['too_deep', 'too_long', 'string_too_long']) })

/** Whether an issue is about a limit of free JSON. */
export const isFreeJsonLimit = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && Limit.safeParse(issue.params).success

/** The first limit that a value breaks; examines no more members than are allowed. */
function brokenBy(value: unknown): BrokenLimit | undefined {
  let members = 0
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = []
    for (const at of level) {
      if (typeof at === 'string' && at.length > freeJsonLimits.characters) return stringTooLong
      if (typeof at !== 'object' || at === null) continue
      if (depth >= freeJsonLimits.depth) return tooDeep
      const isArray = Array.isArray(at)
      const length = isArray ? at.length : Object.keys(at).length
      members += length
      if (members > freeJsonLimits.members) return tooLong
      below.push(...(isArray ? (at as unknown[]) : Object.values(at)))
    }
    level = below
  }
  return undefined
}

/**
 * Checks free JSON against its limits: depth, total members, characters of a text.
 * @example
 * const Metadata = z.record(z.string(), z.unknown()).check(withinFreeJson)
 */
export const withinFreeJson: z.core.CheckFn<unknown> = ({ value, issues }) => {
  const broken = brokenBy(value)
  if (broken === undefined) return
  const { type, message, ctx } = broken
  // With `continue`, a union reports this issue as its own: the value fits none of its other options.
  issues.push({ code: 'custom', input: value, message, params: { type, ctx }, continue: true })
}
