/** Matches tests with patterns (evidence 3). Pure, and linear in the address. */
import { addressSeparator, stepsOf, type TestStep } from '@specboard/contract'

/** A pattern prepared for comparison. */
export interface ReadyPattern {
  readonly text: string
  /** The end of the address that it matches; undefined if it has wildcards. */
  readonly plain: string | undefined
  readonly steps: readonly TestStep[]
  /** The longest text in it, which a matching address must contain. */
  readonly needed: string
}

const blanks = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Prepares a pattern. White space is treated as in addresses. */
export function readyPattern(text: string): ReadyPattern {
  const steps = stepsOf(blanks(text))
  const texts = steps.filter(step => typeof step === 'string')
  const plain = texts.length === steps.length ? texts.join('') : undefined
  const needed = texts.toSorted((one, other) => other.length - one.length)[0] ?? ''
  return { text, plain, steps, needed }
}

/**
 * The suffixes of an address that start at each of its parts, the whole address last: plain patterns are compared with
 * them.
 */
export function endsOf(address: string): string[] {
  const ends: string[] = []
  for (let at = address.lastIndexOf(addressSeparator); at > 0; at = address.lastIndexOf(addressSeparator, at - 1))
    ends.push(address.slice(at + addressSeparator.length))
  return [...ends, address]
}

/** Whether a pattern matches a test, aligned to the end of its address. */
export function isNamedBy(pattern: ReadyPattern, address: string): boolean {
  const { plain } = pattern
  if (plain === undefined) return matches(pattern, address)
  return address === plain || address.endsWith(`${addressSeparator}${plain}`)
}

/** Whether a pattern with wildcards matches a test. */
export function matches({ steps, needed }: ReadyPattern, address: string): boolean {
  if (!address.includes(needed)) return false
  const last = steps.at(-1)
  if (typeof last === 'string' && !address.endsWith(last)) return false
  // The positions from which the rest of the pattern matches, from the end of the address to its start.
  let places = new Uint8Array(address.length + 1)
  places[address.length] = 1
  for (const step of steps.toReversed()) {
    const next =
      typeof step === 'string'
        ? before(address, places, step)
        : step.any === 'all'
          ? upTo(places)
          : within(address, places)
    if (next === undefined) return false
    places = next
  }
  return places.some((fits, at) => fits === 1 && isStart(address, at))
}

const isStart = (address: string, at: number): boolean =>
  at === 0 || (at >= addressSeparator.length && address.startsWith(addressSeparator, at - addressSeparator.length))

type Places = Uint8Array<ArrayBuffer>

/** The positions from which a text leads to one of the positions; undefined if there are none. */
function before(address: string, places: Places, text: string): Places | undefined {
  const found = new Uint8Array(places.length)
  let some = false
  for (let at = address.indexOf(text); at !== -1; at = address.indexOf(text, at + 1)) {
    if (places[at + text.length] !== 1) continue
    found[at] = 1
    some = true
  }
  return some ? found : undefined
}

/** All positions up to the last one. */
function upTo(places: Places): Places {
  return new Uint8Array(places.length).fill(1, 0, places.lastIndexOf(1) + 1)
}

/** The positions from which characters without a separator lead to one of the positions. */
function within(address: string, places: Places): Places {
  const found = new Uint8Array(places.length)
  let nearest = -1
  for (let at = places.length - 1; at >= 0; at--) {
    if (places[at] === 1) nearest = at
    if (nearest !== -1 && address.startsWith(addressSeparator, at) && at + addressSeparator.length <= nearest)
      nearest = -1
    if (nearest !== -1) found[at] = 1
  }
  return found
}
