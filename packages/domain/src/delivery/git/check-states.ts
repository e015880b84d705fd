/** How checks stand, and which of them count (git 3). Pure. */
import type { ChangeChecksTable } from '../../schema/tables.ts'

type Check = Pick<ChangeChecksTable, 'name' | 'kind' | 'suite' | 'state'>

/** What all checks of a commit come to. */
export interface CheckSummary {
  readonly state: 'passing' | 'failing' | 'pending' | 'none'
  readonly total: number
  readonly failing: string[]
}

const green: ReadonlySet<Check['state']> = new Set(['success', 'neutral', 'skipped'])

/** Whether a check has ended well. */
export const isGreen = ({ state }: Pick<Check, 'state'>): boolean => green.has(state)

/** Wholes of suites: they count only where nothing that ran in them is told. */
const order: readonly Check['kind'][] = ['check_suite', 'workflow_run', 'check_run']

/** The checks without those that others of the same suite tell in more detail. */
const distinct = <Each extends Check>(checks: readonly Each[]): Each[] =>
  checks.filter(({ kind, suite }) => {
    const rank = order.indexOf(kind)
    return (
      rank === -1 || suite === null || !checks.some(other => other.suite === suite && order.indexOf(other.kind) > rank)
    )
  })

/** The checks that count: those that a pattern names, or all where there is none. */
export const countedChecks = <Each extends Check>(checks: readonly Each[], patterns: readonly string[]): Each[] => {
  const all = distinct(checks)
  return patterns.length === 0 ? all : all.filter(({ name }) => patterns.some(pattern => isNamed(pattern, name)))
}

/** What checks come to together. */
export function summaryOf(checks: readonly Check[]): CheckSummary {
  const failing = checks.filter(check => !isGreen(check) && check.state !== 'pending').map(({ name }) => name)
  const isPending = checks.some(({ state }) => state === 'pending')
  const state = failing.length > 0 ? 'failing' : isPending ? 'pending' : 'passing'
  return { state: checks.length === 0 ? 'none' : state, total: checks.length, failing: failing.toSorted() }
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

/** Whether a pattern is a whole text: `*` stands for any characters but `::`, `**` for any. */
function matches(parts: readonly Part[], text: string): boolean {
  /** Where to go on from a star when what follows it does not fit. */
  const stars: { part: number; at: number; readonly any: 'within' | 'all' }[] = []
  let [part, place] = [0, 0]
  for (;;) {
    const here = parts[part]
    if (here !== undefined && 'any' in here) {
      // What an earlier star of the same reach takes more of, this one can take as well.
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

/** Whether a pattern names a check, from the end of its name. */
export function isNamed(pattern: string, name: string): boolean {
  const parts = partsOf(pattern)
  if (matches(parts, name)) return true
  for (let border = name.indexOf('::'); border !== -1; border = name.indexOf('::', border + 2))
    if (matches(parts, name.slice(border + 2))) return true
  return false
}
