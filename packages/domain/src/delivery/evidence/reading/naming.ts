/** Scenarios named by tests themselves, as in `SPE-3/S2` (evidence 3). Pure, and linear in the text. */

/** A spec whose scenarios a test may name. */
export interface NamedSpec {
  readonly id: string
  /** Its number on the board, and its current reference. */
  readonly number: number
  readonly ref: string
  readonly scenarios: ReadonlySet<string>
}

/** The scenarios that texts name. */
export interface ScenarioIndex {
  /** Spec and scenario, by name: `<ref>/<scenario id>`. */
  readonly scenarios: ReadonlyMap<string, { readonly spec: NamedSpec; readonly scenario: string }>
  /** Names that match no scenario. */
  readonly unknown: ReadonlySet<string>
}

const word = /[A-Za-z0-9_-]/
const inId = /[A-Za-z0-9._-]/
const digit = /[0-9]/
const inKey = /[A-Z0-9]/

/** Maximum number of characters of a key, a number and the id of a scenario. */
const maxLength = { key: 10, number: 15, id: 200 } as const

/** Finds the scenarios that texts name. */
export class Names {
  readonly #keys: ReadonlySet<string>
  readonly #specs: ReadonlyMap<number, NamedSpec>

  /** @param keys the current and former keys of the board */
  constructor(keys: Iterable<string>, specs: readonly NamedSpec[]) {
    this.#keys = new Set(keys)
    this.#specs = new Map(specs.map(spec => [spec.number, spec]))
  }

  in(texts: readonly string[]): ScenarioIndex {
    const scenarios = new Map<string, { spec: NamedSpec; scenario: string }>()
    const unknown = new Set<string>()
    for (const text of texts)
      for (let slash = text.indexOf('/'); slash !== -1; slash = text.indexOf('/', slash + 1)) {
        const found = this.#at(text, slash)
        if (found === undefined) continue
        if (typeof found === 'string') unknown.add(found)
        else scenarios.set(`${found.spec.ref}/${found.scenario}`, found)
      }
    return { scenarios, unknown }
  }

  /** The scenario around a slash; its name if there is no such scenario; undefined if nothing is named. */
  #at(text: string, slash: number): { spec: NamedSpec; scenario: string } | string | undefined {
    let dash = slash - 1
    while (dash >= 0 && slash - dash <= maxLength.number && digit.test(text[dash]!)) dash--
    if (text[dash] !== '-' || dash === slash - 1) return undefined
    let start = dash
    while (start > 0 && dash - start <= maxLength.key && inKey.test(text[start - 1]!)) start--
    const key = text.slice(start, dash)
    if (!this.#keys.has(key) || word.test(text[start - 1] ?? '')) return undefined
    let end = slash + 1
    while (end < text.length && end - slash <= maxLength.id && inId.test(text[end]!)) end++
    if (end === slash + 1) return undefined
    const spec = this.#specs.get(Number(text.slice(dash + 1, slash)))
    const run = text.slice(slash + 1, end)
    // The longest id that ends at a word boundary.
    for (let length = run.length; spec !== undefined && length > 0; length--) {
      if (length < run.length && word.test(run[length]!)) continue
      if (spec.scenarios.has(run.slice(0, length))) return { spec, scenario: run.slice(0, length) }
    }
    let last = run.length
    while (last > 0 && run[last - 1] === '.') last--
    return `${text.slice(start, slash)}/${run.slice(0, last)}`
  }
}
