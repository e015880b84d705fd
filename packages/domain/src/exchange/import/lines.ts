import { jsonFault } from '@specboard/contract'
import { type FilePosition, refused } from './refused.ts'

/** Maximum number of lines that a file may have (exchange 1). */
export const maxLines = 1_000_000

/** Maximum length of a line, bytes: a record with all its texts. */
const maxLineLength = 64 << 20

/**
 * Matches every text that may have to be refused: a character or a key written as escapes, an unpaired surrogate, a
 * reserved key.
 */
const suspicious = /\\u(?:00[0-7]|[dD][89a-fA-F])|"(?:__proto__|constructor|prototype)"/

/** Maximum nesting depth of a line (walls 9). */
const deepest = 200

/** Maximum number of members of an object in a line (walls 5). */
const maxMembers = 10_000

/** The minimum number of characters that `maxMembers` members take. */
const shortestOfMost = maxMembers * '"":0,'.length

/** The JSON lines of a file, each an object with its number. */
export async function* jsonLines(
  bytes: AsyncIterable<Uint8Array>,
  entry: string,
): AsyncGenerator<{ readonly value: Record<string, unknown>; readonly place: FilePosition }> {
  let line = 0
  for await (const text of textLines(bytes, entry)) {
    line++
    if (line > maxLines) throw refused(`The file has more than ${maxLines} lines`, { entry, line })
    const place = { entry, line }
    yield { value: objectOf(text, place), place }
  }
}

/** The lines of a text, without their ends; an empty last line is ignored. */
async function* textLines(bytes: AsyncIterable<Uint8Array>, entry: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      throw refused('The file is not UTF-8', { entry })
    }
  }
  // In parts, because rebuilding a long line with each chunk costs the square of its length.
  let line: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    const [end = '', ...others] = decoded(chunk).split('\n')
    line.push(end)
    length += end.length
    if (length > maxLineLength) throw refused('The file has a line of more than 64 MiB', { entry })
    const next = others.pop()
    if (next === undefined) continue
    yield line.join('')
    yield* others
    line = [next]
    length = next.length
  }
  const last = line.join('') + decoded()
  if (last !== '') yield last
}

/** Whether JSON is nested too deep, checked before anything walks it. */
function isTooDeep(json: string): boolean {
  if (json.length <= 2 * deepest) return false
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (inText) {
      if (character === '\\') at++
      else if (character === '"') inText = false
    } else if (character === '"') inText = true
    else if (character === '{' || character === '[') {
      if (++depth > deepest) return true
    } else if (character === '}' || character === ']') depth--
  }
  return false
}

function objectOf(text: string, place: FilePosition): Record<string, unknown> {
  if (isTooDeep(text)) throw refused(`The line is nested deeper than ${deepest}`, place)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('The line is not JSON', place)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused('The line is not an object', place)
  if (text.length > shortestOfMost && hasManyMembers(value))
    throw refused(`The line has an object of more than ${maxMembers} members`, place)
  const fault = suspicious.test(text) ? jsonFault(value) : undefined
  if (fault !== undefined) throw refused(`${fault.path.join('.')} ${fault.message}`, place)
  return value as Record<string, unknown>
}

/** Whether an object in a value has more members than a record can use. */
function hasManyMembers(value: unknown): boolean {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const members = Object.values(next)
    if (!Array.isArray(next) && members.length > maxMembers) return true
    for (const member of members) waiting.push(member)
  }
  return false
}
