/** A JSON document with the lines of its objects. */
export interface JsonDocument {
  readonly value: unknown
  /** The first line of an object in the document; null if it is unknown. */
  lineOf(object: object): number | null
  /** Whether an object has a duplicate member, of which only the last one is in the value. */
  readonly repeatsMembers: boolean
}

/** The JSON document in a file; undefined if it is invalid. */
export function jsonIn(text: string): JsonDocument | undefined {
  const value = parsed(text)
  if (value === undefined) return undefined
  const lines = linesOfObjects(text)
  const objects = [...objectsIn(value)]
  // Objects are visited in source order, unless a member name is a number or a duplicate.
  const isInOrder = objects.length === lines.length && !objects.some(hasNumbers)
  const lineOf = new Map(isInOrder ? objects.map((object, at) => [object, lines[at]!]) : [])
  return { value, lineOf: object => lineOf.get(object) ?? null, repeatsMembers: objects.length !== lines.length }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The line of the syntax error; null if the parser does not report one. */
export function faultyLine(text: string): number | null {
  try {
    JSON.parse(text)
  } catch (error) {
    const line = /\(line (\d+)/.exec(String(error))?.[1]
    if (line !== undefined) return Number(line)
  }
  return null
}

/** The line of each `{` that is not in a string. */
function linesOfObjects(text: string): number[] {
  const lines: number[] = []
  let line = 1
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === brace) lines.push(line)
    else if (code === newline) line++
  }
  return lines
}

const [backslash, quote, brace, newline] = [0x5c, 0x22, 0x7b, 0x0a]

/** The objects of a value in the order in which they begin. */
function* objectsIn(value: unknown): Generator<object> {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) yield next
    waiting.push(...Object.values(next).toReversed())
  }
}

const hasNumbers = (object: object): boolean => Object.keys(object).some(key => /^\d+$/.test(key))
