/** The states of checks, and which of them count (git 3). Pure. */
import type { ChangeChecksTable } from '../../schema/tables.ts'

type Check = Pick<ChangeChecksTable, 'name' | 'kind' | 'suite' | 'state'>

/** The combined state of all checks of a commit. */
export interface CheckSummary {
  readonly state: 'passing' | 'failing' | 'pending' | 'none'
  readonly total: number
  /** Those that have not ended yet, if any. */
  readonly pending?: number
  readonly failing: string[]
}

const green: ReadonlySet<Check['state']> = new Set(['success', 'neutral', 'skipped'])

/** Whether a check has succeeded. */
export const isGreen = ({ state }: Pick<Check, 'state'>): boolean => green.has(state)

/** Suites as a whole count only if nothing that ran in them is reported. */
const order: readonly Check['kind'][] = ['check_suite', 'workflow_run', 'check_run']

/** The checks without those that others of the same suite report in more detail. */
const distinct = <Each extends Check>(checks: readonly Each[]): Each[] =>
  checks.filter(({ kind, suite }) => {
    const rank = order.indexOf(kind)
    return (
      rank === -1 || suite === null || !checks.some(other => other.suite === suite && order.indexOf(other.kind) > rank)
    )
  })

/** The checks that count: those that match a pattern, or all if there are no patterns. */
export const countedChecks = <Each extends Check>(checks: readonly Each[], patterns: readonly string[]): Each[] => {
  const all = distinct(checks)
  return patterns.length === 0 ? all : all.filter(({ name }) => patterns.some(pattern => isNamed(pattern, name)))
}

/** The combined state of checks. */
export function summaryOf(checks: readonly Check[]): CheckSummary {
  const failing = checks.filter(check => !isGreen(check) && check.state !== 'pending').map(({ name }) => name)
  const pending = checks.filter(({ state }) => state === 'pending').length
  const state = failing.length > 0 ? 'failing' : pending > 0 ? 'pending' : 'passing'
  return {
    state: checks.length === 0 ? 'none' : state,
    total: checks.length,
    ...(pending > 0 && { pending }),
    failing: failing.toSorted(),
  }
}

type Part = { readonly literal: string } | { readonly any: 'within' | 'all' }

function partsOf(pattern: string): Part[] {
  const parts: Part[] = []
  for (let index = 0; index < pattern.length; index++) {
    const [here, next] = [pattern[index]!, pattern[index + 1]]
    if (here === '\\' && (next === '*' || next === '\\')) {
      parts.push({ literal: next })
      index++
    } else if (here === '*') {
      parts.push({ any: next === '*' ? 'all' : 'within' })
      if (next === '*') index++
    } else parts.push({ literal: here })
  }
  return parts
}

/** Whether a pattern matches a whole text: `*` matches any characters but `::`, `**` any. */
function matches(parts: readonly Part[], text: string): boolean {
  /** Where to continue from a star when what follows it does not match. */
  const stars: { part: number; at: number; readonly any: 'within' | 'all' }[] = []
  let [part, place] = [0, 0]
  for (;;) {
    const here = parts[part]
    if (here !== undefined && 'any' in here) {
      // Whatever an earlier star of the same reach could still consume, this one can consume as well.
      while (stars.length > 0 && (here.any === 'all' || stars.at(-1)!.any === 'within')) stars.pop()
      stars.push({ part: part + 1, at: place, any: here.any })
      part++
    } else if (here !== undefined && place < text.length && here.literal === text[place]) {
      part++
      place++
    } else if (here === undefined && place === text.length) return true
    else {
      for (let star = stars.at(-1); ; star = stars.at(-1)) {
        if (star === undefined) return false
        const isAtBorder = star.any === 'within' && text.startsWith('::', star.at)
        if (star.at < text.length && !isAtBorder) {
          star.at++
          part = star.part
          place = star.at
          break
        }
        stars.pop()
      }
    }
  }
}

/** Whether a pattern matches a check, aligned to the end of its name. */
export function isNamed(pattern: string, name: string): boolean {
  const parts = partsOf(pattern)
  if (matches(parts, name)) return true
  for (let border = name.indexOf('::'); border !== -1; border = name.indexOf('::', border + 2))
    if (matches(parts, name.slice(border + 2))) return true
  return false
}
