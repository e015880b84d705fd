import { type PatternStep, readPattern } from '@specboard/contract'
import { TextCache } from './text-cache.ts'

/** A range of characters, by their code points. */
type Range = readonly [from: number, to: number]

/** A transition to another state: a set of characters, with one to show in examples. */
interface Edge {
  readonly set: readonly Range[]
  readonly example: string
  readonly to: number
}

/** The states of a pattern as a set of paths. A path that ends in a state of `accepts` is in the set. */
export interface Automaton {
  readonly repository: string | null
  readonly edges: readonly (readonly Edge[])[]
  readonly accepts: readonly boolean[]
}

const slash = 0x2f
const last = 0x10ffff

const onlySlash: readonly Range[] = [[slash, slash]]

/** Every character except `/`. */
const others: readonly Range[] = [
  [0, slash - 1],
  [slash + 1, last],
]

/** The character that an example shows where any would do. */
const anyShown = 'a'

const codeOf = (text: string): number => text.codePointAt(0)!

/** The case-folded form of a character; the character itself if it has several lower-case forms. */
function foldedCode(code: number): number {
  const small = String.fromCodePoint(code).toLowerCase()
  return small.length === String.fromCodePoint(codeOf(small)).length ? codeOf(small) : code
}

/** The largest range that is case-folded character by character; in a larger one only ASCII letters are. */
const maxFoldedRange = 512

function foldedRange([from, to]: Range): Range[] {
  if (to - from < maxFoldedRange) {
    const codes = Array.from({ length: to - from + 1 }, (_, index) => foldedCode(from + index))
    return [[from, to], ...codes.filter(code => code < from || code > to).map((code): Range => [code, code])]
  }
  const [first, end] = [Math.max(from, 0x41), Math.min(to, 0x5a)]
  return first <= end
    ? [
        [from, to],
        [first + 0x20, end + 0x20],
      ]
    : [[from, to]]
}

/** Builds the states of a pattern, with transitions that consume no character, which `closed` removes. */
class Builder {
  readonly #isFolded: boolean
  readonly #edges: Edge[][] = [[]]
  readonly #free: number[][] = [[]]

  constructor(isFolded: boolean) {
    this.#isFolded = isFolded
  }

  state(): number {
    this.#free.push([])
    return this.#edges.push([]) - 1
  }

  /** Adds a transition that consumes no character. */
  free(from: number, to: number): void {
    this.#free[from]!.push(to)
  }

  edge(from: number, set: readonly Range[], example: string, to: number): void {
    this.#edges[from]!.push({ set, example, to })
  }

  text(from: number, text: string): number {
    const code = this.#isFolded ? foldedCode(codeOf(text)) : codeOf(text)
    return this.#after(from, [[code, code]], text)
  }

  set(from: number, ranges: readonly (readonly [string, string])[]): number {
    const set = ranges.flatMap(([first, end]): Range[] => {
      const range: Range = [codeOf(first), codeOf(end)]
      return this.#isFolded ? foldedRange(range) : [range]
    })
    return this.#after(from, set.flatMap(withoutSlash), ranges[0]![0])
  }

  any(from: number): number {
    return this.#after(from, others, anyShown)
  }

  slash(from: number): number {
    return this.#after(from, onlySlash, '/')
  }

  #after(from: number, set: readonly Range[], example: string): number {
    const to = this.state()
    this.edge(from, set, example, to)
    return to
  }

  /** The states without empty transitions. */
  closed(repository: string | null, accepting: readonly number[]): Automaton {
    const reached = this.#free.map((_, state) => this.#reachedFreely(state))
    const ends = new Set(accepting)
    return {
      repository,
      edges: reached.map(states => states.flatMap(state => this.#edges[state]!)),
      accepts: reached.map(states => states.some(state => ends.has(state))),
    }
  }

  #reachedFreely(state: number): readonly number[] {
    const reached = new Set([state])
    for (const each of reached) for (const next of this.#free[each]!) reached.add(next)
    return [...reached]
  }
}

const withoutSlash = ([from, to]: Range): Range[] =>
  from <= slash && slash <= to
    ? [[from, slash - 1] as const, [slash + 1, to] as const].filter(([a, b]) => a <= b)
    : [[from, to]]

/** Builds the states for the steps of a pattern, from left to right. */
class Compiler {
  readonly #builder: Builder
  #at = 0
  /** Where the open brace group begins and ends. */
  #braces: { readonly begin: number; readonly end: number } | undefined

  constructor(builder: Builder) {
    this.#builder = builder
  }

  compile(steps: readonly PatternStep[]): number {
    for (let index = 0; index < steps.length; index++) {
      const [step, next, later] = steps.slice(index, index + 3)
      if (step!.kind === 'slash' && next?.kind === 'parts' && later === undefined) {
        this.#partsAtEnd()
        index++
      } else if (step!.kind === 'parts' && next?.kind === 'slash') {
        this.#partsBefore()
        index++
      } else this.#step(step!)
    }
    return this.#at
  }

  #step(step: PatternStep): void {
    const builder = this.#builder
    switch (step.kind) {
      case 'text':
        this.#at = builder.text(this.#at, step.text)
        return
      case 'set':
        this.#at = builder.set(this.#at, step.ranges)
        return
      case 'any':
        this.#at = builder.any(this.#at)
        return
      case 'slash':
        this.#at = builder.slash(this.#at)
        return
      case 'some':
        this.#some()
        return
      case 'parts':
        this.#parts()
        return
      default:
        this.#brace(step.kind)
        return
    }
  }

  /** `*`: any characters within a path segment. */
  #some(): void {
    const loop = this.#builder.state()
    this.#builder.free(this.#at, loop)
    this.#builder.edge(loop, others, anyShown, loop)
    this.#at = loop
  }

  /** `**` alone: every path. */
  #parts(): void {
    const first = this.#builder.state()
    this.#builder.free(this.#at, first)
    this.#at = this.#partsFrom(first)
  }

  /** `**` and the slash after it: any number of segments, each followed by a slash. */
  #partsBefore(): void {
    const begin = this.#builder.state()
    this.#builder.free(this.#at, begin)
    const inside = this.#builder.any(begin)
    this.#builder.edge(inside, others, anyShown, inside)
    this.#builder.edge(inside, onlySlash, '/', begin)
    this.#at = begin
  }

  /** The slash before a final `**`: any number of segments, each preceded by a slash. */
  #partsAtEnd(): void {
    const first = this.#builder.state()
    const end = this.#partsFrom(first)
    this.#builder.free(this.#at, end)
    this.#at = end
  }

  /** One segment, and any number after it, each preceded by a slash. */
  #partsFrom(first: number): number {
    const builder = this.#builder
    const inside = builder.any(first)
    builder.edge(inside, others, anyShown, inside)
    const end = builder.state()
    builder.free(inside, end)
    builder.edge(end, onlySlash, '/', first)
    return end
  }

  #brace(kind: 'open' | 'or' | 'close'): void {
    const builder = this.#builder
    if (kind === 'open') {
      this.#braces = { begin: this.#at, end: builder.state() }
      this.#begin(this.#at)
      return
    }
    const { begin, end } = this.#braces!
    builder.free(this.#at, end)
    if (kind === 'or') this.#begin(begin)
    else this.#at = end
  }

  /** Each alternative has an initial state of its own, so that its loops are not those of the others. */
  #begin(begin: number): void {
    const first = this.#builder.state()
    this.#builder.free(begin, first)
    this.#at = first
  }
}

/** Compiles a pattern; with case folding all letters are lower case. */
function compiled(text: string, isFolded: boolean, withBelow: boolean): Automaton {
  const { repository, steps, below } = readPattern(text)
  const builder = new Builder(isFolded)
  const compiler = new Compiler(builder)
  const end = compiler.compile(withoutRepeatedParts(steps))
  if (!below && !withBelow) return builder.closed(repository, [end])
  const above = builder.state()
  builder.free(end, above)
  const inside = builder.state()
  builder.edge(above, onlySlash, '/', inside)
  builder.edge(inside, others, anyShown, inside)
  builder.edge(inside, onlySlash, '/', inside)
  return builder.closed(repository, [above, inside])
}

/** `**` after `**` adds nothing. */
const withoutRepeatedParts = (steps: readonly PatternStep[]): readonly PatternStep[] =>
  steps.filter(
    (step, index) =>
      !(step.kind === 'slash' && steps[index - 1]?.kind === 'parts' && steps[index + 1]?.kind === 'parts') &&
      !(step.kind === 'parts' && steps[index - 1]?.kind === 'slash' && steps[index - 2]?.kind === 'parts'),
  )

/** Maximum number of compiled patterns in the cache. */
const maxKept = 30_000

const automata = new TextCache<Automaton>(maxKept)

const automatonOf = (
  text: string,
  { isFolded, withBelow }: { readonly isFolded: boolean; readonly withBelow: boolean },
): Automaton =>
  automata.of(`${isFolded ? 'f' : 'e'}${withBelow ? 'b' : 'o'}${text}`, () => compiled(text, isFolded, withBelow))

/** The characters to show in examples where several would do, best first. */
const shownFirst = ['a', 'b', '0', '_'].map(codeOf)

/** A character in both sets, as it was written; undefined if there is none. */
function sharedBy(a: Edge, b: Edge): string | undefined {
  let lowest: number | undefined
  for (const [from, to] of a.set)
    for (const [first, end] of b.set) {
      const low = Math.max(from, first)
      const high = Math.min(to, end)
      if (low > high) continue
      if (a.set.length === 1 && from === to) return a.example
      if (b.set.length === 1 && first === end) return b.example
      const nice = shownFirst.find(code => low <= code && code <= high)
      if (nice !== undefined) return String.fromCodePoint(nice)
      lowest ??= low
    }
  return lowest === undefined ? undefined : String.fromCodePoint(lowest)
}

/** Whether a pattern matches a file path, case-sensitively (harness 4.3). */
export function matchesPath(pattern: string, path: string): boolean {
  const { edges, accepts } = automatonOf(pattern, { isFolded: false, withBelow: false })
  let states: ReadonlySet<number> = new Set([0])
  for (const character of path) {
    const code = codeOf(character)
    const next = new Set<number>()
    for (const state of states)
      for (const { set, to } of edges[state]!) if (set.some(([from, end]) => from <= code && code <= end)) next.add(to)
    if (next.size === 0) return false
    states = next
  }
  return [...states].some(state => accepts[state])
}

/** The repository that a pattern is bound to; null if it names none. */
export const repositoryOf = (pattern: string): string | null =>
  pattern.includes(':') ? automatonOf(pattern, { isFolded: false, withBelow: false }).repository : null

/** Whether two repositories may be the same: null means any repository, and names are compared case-insensitively. */
export const mayBeSameRepository = (a: string | null, b: string | null): boolean =>
  a === null || b === null || a.toLowerCase() === b.toLowerCase()

/** The common beginning of all paths of a pattern, in lower case. */
interface Beginning {
  /** The characters up to the first wildcard. */
  readonly text: string
  /**
   * The folders that contain it, from the root (`''`) on; a file or folder that the pattern names in full is included.
   */
  readonly folders: readonly string[]
}

const beginnings = new TextCache<Beginning>(maxKept)

const beginningOf = (pattern: string): Beginning =>
  beginnings.of(pattern, () => {
    const { text, isWhole } = plainBeginning(pattern) ?? readBeginning(pattern)
    const parts = isWhole ? text.split('/') : text.split('/').slice(0, -1)
    const named = parts.filter(part => part !== '')
    return { text, folders: ['', ...named.map((_, index) => named.slice(0, index + 1).join('/'))] }
  })

/** The text before the first wildcard, in lower case, and whether it ends with a whole segment. */
interface Plain {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * The same, found without reading the pattern's steps; undefined if the pattern has quoted characters or a repository.
 */
function plainBeginning(pattern: string): Plain | undefined {
  if (/[\\:]/.test(pattern)) return undefined
  const end = pattern.search(/[*?[{]/)
  const plain = end < 0 ? pattern : pattern.slice(0, end)
  const isWhole = end < 0 || (plain.endsWith('/') && /^\*\*(?:\/|$)/.test(pattern.slice(end)))
  return { text: foldedText(plain.endsWith('/') && isWhole ? plain.slice(0, -1) : plain), isWhole }
}

function readBeginning(pattern: string): Plain {
  const { steps } = readPattern(pattern)
  const end = steps.findIndex(
    ({ kind }, index) =>
      (kind !== 'text' && kind !== 'slash') || (kind === 'slash' && steps[index + 1]?.kind === 'parts'),
  )
  const plain = end < 0 ? steps : steps.slice(0, end)
  return {
    text: foldedText(plain.map(step => (step.kind === 'text' ? step.text : '/')).join('')),
    isWhole: end < 0 || steps[end]!.kind === 'slash',
  }
}

/**
 * The folders that all paths of a pattern are in, in lower case, from the root (`''`) to the deepest: two patterns share a path
 * only if the deepest folder of one is among those of the other.
 */
export const foldersOf = (pattern: string): readonly string[] => beginningOf(pattern).folders

/**
 * Whether two patterns may share a path, judging by their beginnings: a quick test before their states are compared.
 */
export function mayShare(a: string, b: string): boolean {
  const [left, right] = [beginningOf(a).text, beginningOf(b).text]
  return left.startsWith(right) || right.startsWith(left)
}

/** The number of steps after which the search for an example outside the shared paths is given up. */
const maxSteps = 20_000

/** The number of examples examined, shortest first. */
const maxExamples = 1_000

interface SearchState {
  readonly left: number
  readonly right: number
  /** Whether a segment has to begin: paths have no empty segments. */
  readonly begins: boolean
  /** The possible states in each of the shared patterns after the path so far. */
  readonly shared: readonly (readonly number[])[]
  readonly path: string
}

/** Maximum number of lists of shared patterns with examples in the cache. */
const maxShared = 16

/** The examples found so far, by the shared patterns that they must not match, then by the two patterns. */
const examples = new TextCache<TextCache<string | null>>(maxShared)

/**
 * A path that two patterns both match, in any letter case, and that matches none of the shared patterns; null if there
 * is none (harness 4.3, 5.1).
 */
export const exampleOf = (a: string, b: string, shared: readonly string[] = []): string | null =>
  examples.of(shared.join('\n'), () => new TextCache(maxKept)).of(`${a}\n${b}`, () => foundExample(a, b, shared))

/** Walks through the pairs of their states, shortest paths first. */
function foundExample(a: string, b: string, shared: readonly string[]): string | null {
  const left = automatonOf(a, { isFolded: true, withBelow: false })
  const right = automatonOf(b, { isFolded: true, withBelow: false })
  if (!mayBeSameRepository(left.repository, right.repository)) return null
  const first = shortest(left, right)
  if (first === null || shared.length === 0) return first
  const all = shared.map(text => automatonOf(text, { isFolded: true, withBelow: true }))
  return isIn(all, first) ? shortestOutside(left, right, all) : first
}

/** The shortest path that both accept; each pair of states is visited once. */
function shortest(left: Automaton, right: Automaton): string | null {
  const width = right.edges.length
  const seen = new Uint8Array(left.edges.length * width * 2)
  const places: number[] = [1]
  const characters: string[] = ['']
  const before: number[] = [-1]
  seen[1] = 1
  for (let at = 0; at < places.length; at++) {
    const place = places[at]!
    const begins = place % 2 === 1
    const pair = (place - (place % 2)) / 2
    const r = pair % width
    const l = (pair - r) / width
    if (!begins && left.accepts[l] && right.accepts[r]) return pathTo(at, characters, before)
    for (const edge of left.edges[l]!)
      for (const other of right.edges[r]!) {
        const character = sharedBy(edge, other)
        if (character === undefined || (begins && character === '/')) continue
        const next = (edge.to * width + other.to) * 2 + (character === '/' ? 1 : 0)
        if (seen[next] === 1) continue
        seen[next] = 1
        places.push(next)
        characters.push(character)
        before.push(at)
      }
  }
  return null
}

function pathTo(end: number, labels: readonly string[], before: readonly number[]): string {
  const characters: string[] = []
  for (let at = end; at > 0; at = before[at]!) characters.push(labels[at]!)
  return characters.reverse().join('')
}

const foldedText = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text.toLowerCase()
    : Array.from(text, character => String.fromCodePoint(foldedCode(codeOf(character)))).join('')

function isIn(automata: readonly Automaton[], path: string): boolean {
  let states: (readonly number[])[] = automata.map(() => [0])
  for (const character of foldedText(path))
    states = states.map((subset, index) => stepped(automata[index]!, subset, character))
  return states.some((subset, index) => subset.some(state => automata[index]!.accepts[state]))
}

function stepped({ edges }: Automaton, states: readonly number[], character: string): readonly number[] {
  const code = foldedCode(codeOf(character))
  const next = new Set<number>()
  for (const state of states)
    for (const { set, to } of edges[state]!) if (set.some(([from, end]) => from <= code && code <= end)) next.add(to)
  return [...next].sort((a, b) => a - b)
}

/** Characters to try, where any would do, to get outside the shared patterns. */
const otherShown = ['a', 'b', 'z', '0', '_']

/** The shortest path that both accept outside the shared patterns, among the first examples. */
function shortestOutside(left: Automaton, right: Automaton, shared: readonly Automaton[]): string | null {
  const begin: SearchState = { left: 0, right: 0, begins: true, shared: shared.map(() => [0]), path: '' }
  const seen = new Set<string>()
  const places: SearchState[] = [begin]
  let examples = 0
  for (let at = 0; at < places.length && at < maxSteps && examples < maxExamples; at++) {
    const place = places[at]!
    if (!place.begins && left.accepts[place.left] && right.accepts[place.right]) {
      examples++
      if (!place.shared.some((states, index) => states.some(state => shared[index]!.accepts[state]))) return place.path
    }
    for (const next of placesAfter(place, left, right, shared)) {
      const key = `${next.left} ${next.right} ${next.begins} ${JSON.stringify(next.shared)}`
      if (seen.has(key)) continue
      seen.add(key)
      places.push(next)
    }
  }
  return null
}

function placesAfter(
  place: SearchState,
  left: Automaton,
  right: Automaton,
  shared: readonly Automaton[],
): SearchState[] {
  const next: SearchState[] = []
  for (const edge of left.edges[place.left]!)
    for (const other of right.edges[place.right]!) {
      const character = sharedBy(edge, other)
      if (character === undefined || (place.begins && character === '/')) continue
      for (const label of new Set([
        character,
        ...otherShown.filter(alternative => isOf(edge, alternative) && isOf(other, alternative)),
      ]))
        next.push({
          left: edge.to,
          right: other.to,
          begins: label === '/',
          shared: place.shared.map((states, index) => stepped(shared[index]!, states, label)),
          path: place.path + label,
        })
    }
  return next
}

const isOf = ({ set }: Edge, character: string): boolean => {
  const code = codeOf(character)
  return set.some(([from, to]) => from <= code && code <= to)
}
