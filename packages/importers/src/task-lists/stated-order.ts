/** The dependencies that the text of a task states (imports 5). */

export interface StatedOrder {
  /** The names of what it waits for; null if nothing is stated, empty if it explicitly waits for nothing. */
  readonly waitsFor: readonly string[] | null
  /** The names of what waits for it. */
  readonly blocks: readonly string[]
}

const waiting =
  /\b(?:depends? on|depends|depend|dependency|dependencies(?: on)?|deps|after|requires|needs|blocked by|waits for|prerequisites?)\b/gi

const blocking = /\b(?:blocks|must (?:be done|complete) before|before|precedes)\b/gi

const nothing = /^[\s:*_`(]*(?:none|nothing|n\/a|-|–|—)(?:$|[\s).,;*_`])/i

const without = /\b(?:no dependencies|no prerequisites|without dependencies|can start immediately)\b/i

/** What may be between names. */
const between = /^(?:[\s,:;&+()[\]*_`#]|and\b|or\b|tasks?\b|all of\b)+/i

const name =
  /^(?:phase \d{1,3}(?:\.\d{1,3})?|user story \d{1,4}|us-?\d{1,4}|(?:[a-z]{1,8}-?)?\d{1,6}(?:\.\d{1,6}){0,4}[a-z]?)(?![\p{L}\p{N}])/iu

const rangeSign = /^\s*(?:[-–—]|\.\.\.?|to\b|through\b)\s*/i

export function statedOrder(text: string): StatedOrder {
  const waitsFor = namesBehind(text, waiting)
  const saysNone = without.test(text) || [...text.matchAll(waiting)].some(found => nothing.test(behind(text, found)))
  return {
    waitsFor: waitsFor.length > 0 || saysNone ? waitsFor : null,
    blocks: namesBehind(text, blocking),
  }
}

const inLine = new RegExp(`${/\b(?:blocks|before|precedes)\b|→|->/.source}|${waiting.source}`, 'i')

/** The order in a line of a section about dependencies, such as `T004-T007 before T008`. */
export function orderInLine(line: string): { readonly first: readonly string[]; readonly then: readonly string[] } {
  const found = inLine.exec(line)
  if (found === null) return { first: [], then: [] }
  const sides = [namesIn(line.slice(0, found.index)), namesIn(behind(line, found))] as const
  const [first, then] = /^(?:blocks|before|precedes|→|->)$/i.test(found[0]) ? sides : [sides[1], sides[0]]
  return first.length > 0 && then.length > 0 ? { first, then } : { first: [], then: [] }
}

const behind = (text: string, found: RegExpExecArray): string => text.slice(found.index + found[0].length)

function namesBehind(text: string, words: RegExp): string[] {
  return [...new Set([...text.matchAll(words)].flatMap(found => namesAtStart(behind(text, found))))]
}

/** All task names in a text; numbers alone do not count. */
function namesIn(text: string): string[] {
  const names: string[] = []
  for (const word of text.matchAll(/[\p{L}\p{N}]/gu)) {
    const isInside = word.index > 0 && /[\p{L}\p{N}.-]/u.test(text[word.index - 1]!)
    if (!isInside && /^T/i.test(word[0])) names.push(...namesAtStart(text.slice(word.index, word.index + 40)))
  }
  return [...new Set(names)]
}

/** The names at the start of a text, up to the first other word. */
function namesAtStart(text: string): string[] {
  const names: string[] = []
  let rest = text
  while (true) {
    rest = rest.replace(between, '')
    const found = name.exec(rest)?.[0]
    if (found === undefined) return names
    rest = rest.slice(found.length)
    const sign = rangeSign.exec(rest)?.[0]
    const last = sign === undefined ? undefined : name.exec(rest.slice(sign.length))?.[0]
    if (sign === undefined || last === undefined) names.push(plainName(found))
    else {
      names.push(...range(plainName(found), plainName(last)))
      rest = rest.slice(sign.length + last.length)
    }
  }
}

const plainName = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^USER STORY /, 'US')
    .replace(/^US-/, 'US')

/** Maximum number of names of a range. */
const widest = 500

/** `T004`, `T007` → T004, T005, T006, T007. */
function range(first: string, last: string): string[] {
  const [, prefix = '', from = ''] = /^(\D*)(\d+)$/.exec(first) ?? []
  const [, otherPrefix = '', to = ''] = /^(\D*)(\d+)$/.exec(last) ?? []
  const isRange = from !== '' && to !== '' && (otherPrefix === prefix || otherPrefix === '')
  const count = Number(to) - Number(from) + 1
  if (!isRange || count < 1 || count > widest) return [first, last]
  return Array.from({ length: count }, (_, at) => prefix + String(Number(from) + at).padStart(from.length, '0'))
}
