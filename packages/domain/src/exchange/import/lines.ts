import { jsonFault } from '@specboard/contract'
import { type Place, refused } from './refused.ts'

/** The most lines that a file may have (exchange 1). */
export const mostLines = 1_000_000

/** The longest line, bytes: a record with all its texts. */
const longestLine = 64 << 20

/** What a text may have that cannot be stored: a NUL character, or half of a character. */
const unstorable = /\\u(?:0000|[dD][89a-fA-F])/

/** The lines of JSON of a file, each an object with its number. */
export async function* jsonLines(
  bytes: AsyncIterable<Uint8Array>,
  entry: string,
): AsyncGenerator<{ readonly value: Record<string, unknown>; readonly place: Place }> {
  let line = 0
  for await (const text of textLines(bytes, entry)) {
    line++
    if (line > mostLines) throw refused(`The file has more than ${mostLines} lines`, { entry, line })
    const place = { entry, line }
    yield { value: objectOf(text, place), place }
  }
}

/** The lines of a text, without their ends; an empty last line is none. */
async function* textLines(bytes: AsyncIterable<Uint8Array>, entry: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      throw refused('The file is not UTF-8', { entry })
    }
  }
  let rest = ''
  for await (const chunk of bytes) {
    const parts = (rest + decoded(chunk)).split('\n')
    rest = parts.pop()!
    if (rest.length > longestLine) throw refused('The file has a line of more than 64 MiB', { entry })
    yield* parts
  }
  rest += decoded()
  if (rest !== '') yield rest
}

function objectOf(text: string, place: Place): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('The line is no JSON', place)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused('The line is no object', place)
  const fault = unstorable.test(text) ? jsonFault(value) : undefined
  if (fault !== undefined) throw refused(`${fault.path.join('.')} ${fault.message}`, place)
  return value as Record<string, unknown>
}
