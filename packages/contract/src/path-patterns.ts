/** The patterns of a scope: their syntax, and their stored form (harness 4.2). */
import { z } from 'zod'
import { withoutRepeats } from './shared.ts'

/** Maximum number of patterns of a scope. */
export const maxPatterns = 50

/** Maximum number of characters of a pattern. */
const maxCharacters = 200

/** Maximum number of alternatives in the braces of a pattern. */
const maxAlternatives = 16

/** The characters that a backslash can escape. */
const quotable: ReadonlySet<string> = new Set(['*', '?', '[', ']', '{', '}', '!', '\\'])

/** A step of a pattern: a character, a range of characters, or a syntax element. */
export type PatternStep =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' | 'some' | 'parts' | 'slash' | 'open' | 'or' | 'close' }
  | { readonly kind: 'set'; readonly ranges: readonly (readonly [from: string, to: string])[] }

/** A parsed pattern. */
export interface ReadPattern {
  /** The repository that it is bound to; null for any. */
  readonly repository: string | null
  readonly steps: readonly PatternStep[]
  /** Whether it also matches everything below what it names. */
  readonly below: boolean
}

/** Why a text is not a pattern. */
export class PatternFault extends Error {}

const fault = (why: string): never => {
  throw new PatternFault(why)
}

const isControl = (text: string): boolean => {
  const code = text.codePointAt(0)!
  return code < 0x20 || code === 0x7f
}

const isLetter = (text: string | undefined): boolean => text !== undefined && /^[A-Za-z]$/.test(text)

/** A pattern in its stored form: without redundant `./`. */
export function plainPattern(text: string): string {
  let rest = text
  while (rest.startsWith('./')) rest = rest.slice(2)
  const parts = rest.split('/')
  return parts.filter((part, index) => part !== '.' || index === 0 || index === parts.length - 1).join('/')
}

/** The index of the colon that ends the name of a repository; -1 without one. */
const endOfName = (text: string): number => {
  const end = text.indexOf(':')
  return /^[\w.-]+$/.test(text.slice(0, Math.max(0, end))) ? end : -1
}

/**
 * Parses a pattern, one character at a time.
 * @throws PatternFault
 */
export function readPattern(text: string): ReadPattern {
  if (text === '' || text === '.') fault('is empty; name a file or folder of the repository')
  if (isLetter(text[0]) && text[1] === ':') fault('begins with a drive letter; write it relative to the repository')
  const end = endOfName(text)
  const repository = end < 0 ? null : text.slice(0, end)
  const path = end < 0 ? text : plainPattern(text.slice(end + 1))
  if (path === '') fault('has no path after the repository')
  if (path.startsWith('/')) fault('begins with /; write it relative to the repository')
  if (path.startsWith('!')) fault('begins with !; a scope covers only what it names. Escape it as \\!')
  return { repository, ...new Reader(path).read() }
}

/** What is wrong with a pattern; null for a valid one. */
export function faultOfPattern(text: string): string | null {
  try {
    readPattern(text)
    return null
  } catch (error) {
    if (error instanceof PatternFault) return error.message
    throw error
  }
}

class Reader {
  readonly #characters: readonly string[]
  readonly #steps: PatternStep[] = []
  #at = 0
  #isOpen = false
  #alternatives = 0
  #isPlain = true

  constructor(path: string) {
    this.#characters = [...path]
  }

  read(): Omit<ReadPattern, 'repository'> {
    this.#refuseUpwards()
    while (this.#at < this.#characters.length) this.#step()
    if (this.#isOpen) fault('has a { without its }')
    const endsInSlash = this.#steps.at(-1)?.kind === 'slash'
    return { steps: endsInSlash ? this.#steps.slice(0, -1) : this.#steps, below: endsInSlash || this.#isPlain }
  }

  #refuseUpwards(): void {
    const parts = this.#characters.join('').split('/')
    if (parts.some(part => part.split(/[{},]/).includes('..')))
      fault('contains ..; write it relative to the repository')
    if (parts.slice(0, -1).includes('')) fault('has two / in a row')
  }

  #step(): void {
    const character = this.#next()
    if (isControl(character)) fault('holds a control character')
    switch (character) {
      case '/':
        this.#add({ kind: 'slash' })
        return
      case '?':
        this.#special({ kind: 'any' })
        return
      case '*':
        this.#stars()
        return
      case '[':
        this.#set()
        return
      case '{':
        this.#open()
        return
      case '}':
        this.#close()
        return
      case ']':
        fault('has a ] without its [')
        return
      case ',':
        if (this.#isOpen) this.#or()
        else this.#add({ kind: 'text', text: ',' })
        return
      default:
        this.#add({ kind: 'text', text: character === '\\' ? this.#quoted() : character })
        return
    }
  }

  #next(): string {
    return this.#characters[this.#at++]!
  }

  #add(step: PatternStep): void {
    this.#steps.push(step)
  }

  #special(step: PatternStep): void {
    this.#isPlain = false
    this.#add(step)
  }

  #quoted(): string {
    const quoted = this.#characters[this.#at]
    if (quoted === undefined || !quotable.has(quoted))
      fault(`has a \\ before ${quoted ?? 'its end'}; parts are separated by /, and \\ only quotes * ? [ ] { } ! \\`)
    return this.#next()
  }

  #stars(): void {
    if (this.#characters[this.#at] !== '*') {
      this.#special({ kind: 'some' })
      return
    }
    const before = this.#characters[this.#at - 2]
    const after = this.#characters[this.#at + 1]
    const isWhole = (before === undefined || before === '/') && (after === undefined || after === '/')
    if (!isWhole || this.#isOpen) fault('has ** inside a part; ** is a whole part, * stands for characters')
    this.#at++
    this.#special({ kind: 'parts' })
  }

  #set(): void {
    const ranges: [string, string][] = []
    for (let from = this.#member(); from !== undefined; from = this.#member()) {
      const isRange = this.#characters[this.#at] === '-' && this.#characters[this.#at + 1] !== ']'
      if (isRange) this.#at++
      const to = isRange ? this.#member() : from
      if (to === undefined || to.codePointAt(0)! < from.codePointAt(0)!)
        fault(`has the range ${from}-, which ends before it begins`)
      ranges.push([from, to!])
    }
    if (ranges.length === 0) fault('has [] with nothing in it')
    this.#special({ kind: 'set', ranges })
  }

  /** The next character of a set; undefined at its end. */
  #member(): string | undefined {
    if (this.#at >= this.#characters.length) fault('has a [ without its ]')
    const character = this.#next()
    if (isControl(character)) fault('holds a control character')
    if (character === '/') fault('has / between [ and ]')
    if (character === '\\') return this.#quoted()
    return character === ']' ? undefined : character
  }

  #open(): void {
    if (this.#isOpen) fault('has { inside { }; use one { } for all alternatives')
    this.#isOpen = true
    this.#count()
    this.#special({ kind: 'open' })
  }

  #or(): void {
    this.#count()
    this.#add({ kind: 'or' })
  }

  #close(): void {
    if (!this.#isOpen) fault('has a } without its {')
    this.#isOpen = false
    this.#add({ kind: 'close' })
  }

  #count(): void {
    this.#alternatives++
    if (this.#alternatives > maxAlternatives) fault(`has more than ${maxAlternatives} alternatives`)
  }
}

/** A pattern as an error shows it: one that may contain a key is not repeated. */
const redact = (text: string): string => (text.includes('dash') ? 'the pattern' : `'${text}'`)

/** A pattern of a scope. */
export const PathPattern = z
  .string()
  .max(maxCharacters)
  .overwrite(plainPattern)
  .superRefine((text, ctx) => {
    // A longer one is refused for its length.
    const why = text.length > maxCharacters ? null : faultOfPattern(text)
    if (why !== null)
      ctx.addIssue({ code: 'custom', message: `${redact(text)} ${why}`, params: { type: 'pattern' }, input: text })
  })
  .meta({ examples: ['src/basket/**'] })

/** The patterns of a scope in order, without duplicates. */
export const PathPatterns = z.array(PathPattern).max(maxPatterns).overwrite(withoutRepeats)

/** A path, and the repository that it is said to belong to; null if none is given. */
export interface NamedPath {
  readonly repository: string | null
  readonly path: string
}

/**
 * The single path that a pattern names, without its escape characters; null if the pattern has wildcards or ends in a
 * slash.
 */
export function pathNamed(text: string): NamedPath | null {
  const { repository, steps } = readPattern(text)
  if (text.endsWith('/')) return null
  const parts = steps.map(step => (step.kind === 'text' ? step.text : step.kind === 'slash' ? '/' : null))
  return parts.includes(null) ? null : { repository, path: parts.join('') }
}
