/** The text after the box of a task: its id, its marks, its title (imports 5). */

export interface TaskText {
  /** In capitals: `T001`; null for a task without one. */
  readonly id: string | null
  readonly parallel: boolean
  /** `US1`; null without a story. */
  readonly story: string | null
  /** The text without id and marks, otherwise unchanged. */
  readonly title: string
}

/** `T001`, `T-001`, `T012a`, `TASK-12`, `1.2`. Other words with a number in them are text, such as `SHA-256`. */
const plainId = /^(?:(?:T|TASK)-?\d{1,6}(?:\.\d{1,6}){0,4}[a-z]?|\d{1,6}(?:\.\d{1,6}){1,4})(?=$|[\s:,]|\.(?:\s|$))/i

/** Ids as in `plainId`, and others such as `API-2`, in bold, brackets or code, which mark them as ids. */
const wrappedId =
  /^(?<open>[*_`[(]{1,4})(?<id>[A-Za-z]{1,8}-?\d{1,6}(?:\.\d{1,6}){0,4}[a-z]?|\d{1,6}(?:\.\d{1,6}){1,4})(?<close>[:.]?[\])*_`]{0,4})(?=$|[\s:,.])/

const behindId = /^[:.,]?\s*(?:[-–—]\s+)?/

const listNumber = /^\d{1,6}[.)]\s+/

const marking = /^(?:\*\*|`)?[[(](?:(?<parallel>P)|(?<story>US-?\d{1,4}))[\])](?:\*\*|`)?:?\s*/i

export function taskText(text: string): TaskText {
  const first = idAt(text.replace(listNumber, ''))
  const marks = marksAt(first.rest)
  const late = first.id === null ? idAt(marks.rest) : { id: first.id, rest: marks.rest }
  const more = first.id === null && late.id !== null ? marksAt(late.rest) : { found: [], rest: late.rest }
  const found = [...marks.found, ...more.found]
  return {
    id: late.id,
    parallel: found.includes('P'),
    story: found.find(mark => mark !== 'P') ?? null,
    title: more.rest.trim(),
  }
}

/** The id at the start of a text, and the remaining text. */
function idAt(text: string): { id: string | null; rest: string } {
  const plain = plainId.exec(text)
  if (plain !== null) return { id: plain[0].toUpperCase(), rest: text.slice(plain[0].length).replace(behindId, '') }
  const { open = '', id, close = '' } = wrappedId.exec(text)?.groups ?? {}
  if (id === undefined || isMark(id)) return { id: null, rest: text }
  const rest = text.slice(open.length + id.length + close.length).replace(behindId, '')
  // The bold text ends at the end of the whole text instead of after the id.
  return { id: id.toUpperCase(), rest: open === '**' && close === '' ? rest.replace('**', '') : rest }
}

const isMark = (word: string): boolean => /^(?:P|US-?\d{1,4})$/i.test(word)

/** The marks at the start of a text, such as `[P] [US1]`, and the remaining text. */
function marksAt(text: string): { found: string[]; rest: string } {
  const found: string[] = []
  let rest = text
  for (let mark = marking.exec(rest); mark !== null; mark = marking.exec(rest)) {
    found.push(mark.groups!.parallel === undefined ? mark.groups!.story!.toUpperCase().replace('-', '') : 'P')
    rest = rest.slice(mark[0].length)
  }
  return { found, rest }
}
