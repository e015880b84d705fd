/** Fits the value of an answer into its character limit, and says how to read what was left out (crew 1.7). */
import { cut } from './compact.ts'
import { isObject, type JsonObject } from './lean-value.ts'

/** Maximum characters of an answer about a file; its caller chooses how much of the text to read (mcp 10). */
export const fileCeiling = 50_000

/** Maximum number of characters that a text keeps if it does not fit. */
const keptText = 2_000

/** Space reserved for `truncated`, the numbers that change, and the mark of a truncated text. */
const margin = 100

/** The space that each member must get for the members of an object to share its space, characters. */
const minShare = 300

/** How often an answer that is still too long is shortened further. */
const maxTries = 5

/** The path to a place in a value, outermost first. */
export type Steps = readonly (string | number)[]

/** What an answer leaves out in one place: the end of a list, of a text, or of an object's members. */
export interface LeftOut {
  readonly steps: Steps
  readonly shown: number
  readonly total: number
  /** The last shown item of a list. */
  readonly last?: unknown
}

/** A call that reads the rest. */
export interface ReadingCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** The call that reads what an answer left out; undefined if there is none. */
export type ReadOn = (leftOut: LeftOut) => ReadingCall | undefined

/** A value and its minified JSON. */
export interface ValueText {
  readonly value: JsonObject
  readonly text: string
  /** The value before anything was shortened, if that differs; later calls of a run refer to it. */
  readonly uncut?: () => JsonObject
  /** The value in fewer characters. */
  readonly within?: (ceiling: number) => ValueText
}

const nowhere: ReadOn = () => undefined

/** A value that fits; what was left out is listed in `more`, each with the call that reads it. */
export function underCeiling(value: JsonObject, ceiling: number, readOn: ReadOn = nowhere): ValueText {
  const within = (smaller: number): ValueText => underCeiling(value, smaller, readOn)
  const whole = JSON.stringify(value)
  if (whole.length <= ceiling) return { value, text: whole, within }
  const sizes = new Sizes()
  let room = ceiling - margin
  for (let tries = 1; ; tries++) {
    const short = new Fitting(readOn, sizes).whole(value, room)
    const text = JSON.stringify(short)
    if (text.length <= ceiling || tries === maxTries) return { value: short, text, within }
    room -= text.length - ceiling + margin
  }
}

/** The JSON lengths of values, each measured once. */
class Sizes {
  readonly #cache = new WeakMap<object, number>()

  of(value: unknown): number {
    if (typeof value === 'string') return JSON.stringify(value).length
    if (typeof value !== 'object' || value === null) return String(value).length
    const cached = this.#cache.get(value)
    if (cached !== undefined) return cached
    const size = Array.isArray(value)
      ? value.reduce((sum: number, item) => sum + this.of(item) + 1, 1)
      : Object.entries(value).reduce((sum, [key, inner]) => sum + this.ofKey(key) + this.of(inner), 1)
    this.#cache.set(value, size)
    return size
  }

  /** With its colon, and the comma after its value. */
  ofKey = (key: string): number => JSON.stringify(key).length + 2
}

/** One attempt to fit a value. */
class Fitting {
  readonly #readOn: ReadOn
  readonly #sizes: Sizes
  readonly #more: JsonObject[] = []
  readonly #omitted: string[] = []
  /** Characters used in `more` so far. */
  #spent = 0

  constructor(readOn: ReadOn, sizes: Sizes) {
    this.#readOn = readOn
    this.#sizes = sizes
  }

  /** The value with `truncated`, and `more` if something can be read. */
  whole(value: JsonObject, room: number): JsonObject {
    const { more: before, ...members } = value
    const short = consistent(this.#members(members, room, []), members)
    const earlier = Array.isArray(before) ? before.filter(({ path }) => !this.#more.some(now => now.path === path)) : []
    const more = [...earlier, ...this.#more]
    return {
      ...short,
      ...(this.#omitted.length > 0 && { _omitted: this.#omitted }),
      truncated: true,
      // The events of a board have a `more` flag of their own, and their numbers say where to continue.
      ...(typeof before === 'boolean' ? { more: true } : more.length > 0 && { more }),
    }
  }

  #fit(value: unknown, room: number, steps: Steps): unknown {
    if (this.#sizes.of(value) <= room) return value
    if (typeof value === 'string') return this.#text(value, room, steps)
    if (Array.isArray(value)) return this.#items(value, room, steps)
    return isObject(value) ? this.#members(value, room, steps) : value
  }

  #text(text: string, room: number, steps: Steps): string {
    // Characters that JSON escapes take more space.
    const density = text.length / this.#sizes.of(text)
    const fitting = Math.floor((room - margin) * density)
    const short = cut(text, Math.max(1, Math.min(keptText, fitting, text.length - 1)))
    this.#leaveOut({ steps, shown: short.lastIndexOf('…[+'), total: text.length })
    return short
  }

  #items(items: readonly unknown[], room: number, steps: Steps): unknown[] {
    let remaining = room - sizeOf(this.#entryOf({ steps, shown: items.length, total: items.length }))
    let count = 0
    while (count < items.length && this.#sizes.of(items[count]) + 1 <= remaining)
      remaining -= this.#sizes.of(items[count++]) + 1
    const fitted = count === 0 ? [this.#fit(items[0], remaining, [...steps, 0])] : items.slice(0, count)
    if (fitted.length < items.length)
      this.#leaveOut({ steps, shown: fitted.length, total: items.length, last: items[fitted.length - 1] })
    return fitted
  }

  /**
   * Small members are kept complete, and large ones share the remaining space; of very many, the first ones are shown.
   */
  #members(value: JsonObject, room: number, steps: Steps): JsonObject {
    const all = Object.entries(value)
    const entries =
      steps.length === 0 || all.length * minShare <= room
        ? all
        : this.#first(all, room - sizeOf(this.#entryOf({ steps, shown: 0, total: all.length })))
    if (entries.length < all.length) this.#leaveOut({ steps, shown: entries.length, total: all.length })
    let remaining = room - entries.reduce((sum, [key]) => sum + this.#sizes.ofKey(key), 1)
    const fitted = new Map<string, unknown>()
    const bySize = entries.toSorted(([, a], [, b]) => this.#sizes.of(a) - this.#sizes.of(b))
    for (const [index, [key, inner]] of bySize.entries()) {
      const spent = this.#spent
      const short = this.#fit(inner, remaining / (bySize.length - index), [...steps, key])
      fitted.set(key, short)
      remaining -= this.#sizes.of(short) + this.#spent - spent
    }
    return Object.fromEntries(entries.map(([key]) => [key, fitted.get(key)]))
  }

  /** The first members that fit completely, at least one. */
  #first(entries: readonly [string, unknown][], room: number): readonly [string, unknown][] {
    let remaining = room
    let count = 0
    for (const [key, inner] of entries) {
      remaining -= this.#sizes.ofKey(key) + this.#sizes.of(inner)
      if (remaining < 0) break
      count++
    }
    return entries.slice(0, Math.max(1, count))
  }

  #leaveOut(leftOut: LeftOut): void {
    const entry = this.#entryOf(leftOut)
    this.#spent += sizeOf(entry)
    if (entry.call === undefined) this.#omitted.push(entry.path)
    else this.#more.push(entry)
  }

  #entryOf({ steps, shown, total, last }: LeftOut) {
    return { path: pathOf(steps), shown, total, call: this.#readOn({ steps, shown, total, last }) }
  }
}

/** The characters of an entry in `more`, with its comma. */
const sizeOf = (entry: object): number => JSON.stringify(entry).length + 1

const plainKey = /^[\w-]+$/

/** A path in readable form: `test_scenarios[0].given`; a key that is not a plain word as `["a/b"]`. */
const pathOf = (steps: Steps): string =>
  steps
    .map((step, at) => {
      if (typeof step === 'number' || !plainKey.test(step)) return `[${JSON.stringify(step)}]`
      return at === 0 ? step : `.${step}`
    })
    .join('')

/** Adjusts the numbers of a page, a text or a log to what is shown of it. */
function consistent(short: JsonObject, before: JsonObject): JsonObject {
  const { items, text, events, offset } = short
  const isShorter = (name: string) => short[name] !== before[name]
  if (Array.isArray(items) && isShorter('items') && typeof offset === 'number') {
    const next = offset + items.length
    return items.length < (before.items as unknown[]).length ? { ...short, next_offset: next } : short
  }
  if (typeof text === 'string' && isShorter('text') && typeof offset === 'number') {
    const prefix = text.slice(0, text.lastIndexOf('…[+'))
    return { ...short, text: prefix, length: prefix.length, next_offset: offset + prefix.length }
  }
  const last = Array.isArray(events) && isShorter('events') ? events.at(-1) : undefined
  if (!isObject(last)) return short
  return {
    ...short,
    // The caller asks for the following events with the number of the last one shown.
    ...('last_event_id' in short && 'id' in last && { last_event_id: last.id }),
    ...('last_sequence' in short && 'sequence' in last && { last_sequence: last.sequence }),
  }
}
