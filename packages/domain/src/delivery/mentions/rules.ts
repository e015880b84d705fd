/** The mentions in a text (people 5.6). Pure. */

/** The maximum number of mentions in a text. */
const maxMentions = 20

/** The beginning or end of a code block. */
const fence = /^ {0,3}(?:`{3,}|~{3,})/

/** A text without the parts that Markdown shows as code. */
function withoutCode(text: string): string {
  if (!/[`~]/.test(text)) return text
  let inBlock = false
  const lines = text.split('\n').map(line => {
    if (fence.test(line)) {
      inBlock = !inBlock
      return ''
    }
    return inBlock ? '' : line
  })
  return withoutSpans(lines.join('\n'))
}

/** A text without code spans: what is between two equally long runs of backticks. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(match => ({ at: match.index, length: match[0].length }))
  // The next run of each length, computed from the end, so that a text with many runs takes linear time.
  const nextOf = new Array<number | undefined>(runs.length)
  const later = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index]!
    nextOf[index] = later.get(length)
    later.set(length, index)
  }
  let result = ''
  let from = 0
  for (let index = 0; index < runs.length; index++) {
    const next = nextOf[index]
    if (next === undefined) continue
    result += `${text.slice(from, runs[index]!.at)}\``
    from = runs[next]!.at + runs[next]!.length
    index = next
  }
  return result + text.slice(from)
}

const mention = /(?:^|[\s([{"'])@([a-z0-9][a-z0-9._-]*)/g

/** Characters that may end a sentence after a handle. */
const trailing: ReadonlySet<string> = new Set(['.', '-', '_'])

function trimmed(run: string): string {
  let end = run.length
  while (end > 0 && trailing.has(run[end - 1]!)) end--
  return run.slice(0, end)
}

/** The handles that a text mentions, each once, in order. */
export function handlesIn(text: string): string[] {
  if (!text.includes('@')) return []
  const handles = [...withoutCode(text).matchAll(mention)].map(([, run]) => trimmed(run!))
  return [...new Set(handles.filter(({ length }) => length >= 2 && length <= 32))].slice(0, maxMentions)
}

/** Fields of bodies that are not prose: nobody is mentioned in them. */
const noText: ReadonlySet<string> = new Set([
  'title',
  'name',
  'assignee',
  'assignee_id',
  'labels',
  'url',
  'email',
  'handle',
  'filename',
  'paths',
  'authors',
])

/** A text of a body, under the field of the record that it is in. */
export interface FieldText {
  readonly field: string
  readonly text: string
}

/** The texts of a body in which somebody may be mentioned. */
export function textsOf(body: unknown): FieldText[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([field, value]) =>
    noText.has(field) ? [] : stringsIn(value).map(text => ({ field, text })),
  )
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('@') ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return Object.entries(value).flatMap(([key, part]) => (noText.has(key) ? [] : stringsIn(part)))
}

/** The maximum length of a mention's excerpt, characters. */
const maxExcerptLength = 280

/** The part of a text around a handle. */
export function excerptAround(text: string, handle: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').trim()]
  if (characters.length <= maxExcerptLength) return characters.join('')
  const place = [...characters.join('').split(`@${handle}`)[0]!].length
  const from = Math.max(0, Math.min(place - maxExcerptLength / 4, characters.length - maxExcerptLength + 1))
  const start = Math.floor(from)
  const cut = characters.slice(start, start + maxExcerptLength - 2).join('')
  return `${start > 0 ? '…' : ''}${cut}${start + maxExcerptLength - 2 < characters.length ? '…' : ''}`
}

/**
 * Identifies the text that a call wrote, so that an edit of it is recognized: a comment, question or answer, otherwise
 * the field.
 */
export function sourceOf(
  {
    operation,
    params,
    answer,
  }: { readonly operation: string; readonly params: Readonly<Record<string, unknown>>; readonly answer: unknown },
  field: string,
): string {
  const createdId = typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : ''
  if (operation.endsWith('_comment')) return `comment ${String(params.comment_id ?? createdId)}`
  if (/^ask_(?:\w+_)?question$/.test(operation)) return `question ${createdId}`
  if (/^answer_(?:\w+_)?question$/.test(operation))
    return `answer ${String(params.qa_id ?? params.question_id ?? createdId)}`
  return field
}
