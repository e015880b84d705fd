import { isDeepStrictEqual } from 'node:util'

/** The result of a comparison: the number of answers compared, and the difference in each answer that differs. */
export interface Outcome {
  readonly compared: number
  readonly differences: readonly string[]
}

let outcome = { compared: 0, differences: [] as string[] }

/** Compares answers with `same`, and collects what differs. */
export async function comparing(run: () => Promise<void>): Promise<Outcome> {
  const found = { compared: 0, differences: [] as string[] }
  outcome = found
  await run()
  return found
}

/** A value without the references of records, which answers contain next to the ids, and files do not (work 1). */
export function withoutRefs<Value>(value: Value): Value
export function withoutRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefs)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'ref')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutRefs(member)]))
}

/** Compares an answer, ignoring references, with what the records say; notes the first difference. */
export function same(name: string, answer: unknown, expectation: unknown): void {
  outcome.compared++
  const [answered, expected] = [withoutRefs(answer), withoutRefs(expectation)]
  if (isDeepStrictEqual(answered, expected)) return
  outcome.differences.push(`${name} differs: ${firstDifference(answered, expected, '')}`)
}

function firstDifference(a: unknown, b: unknown, path: string): string {
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [left, right] = [Reflect.get(a, key), Reflect.get(b, key)]
      if (!isDeepStrictEqual(left, right)) return firstDifference(left, right, `${path}.${key}`)
    }
  }
  return `${path || 'it'} is ${JSON.stringify(a)?.slice(0, 200)}, the records say ${JSON.stringify(b)?.slice(0, 200)}`
}
