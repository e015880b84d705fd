import { type Entry, showEntry, type WrittenText, wholeText } from './entry.ts'
import { code, plain, quoted } from './quoting.ts'

/** Maximum characters of a page (mcp 12). */
const pageLimit = 24_000

/** Maximum characters of one section, so that a long text leaves room for what follows. */
const sectionLimit = 7_000

interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
  /** The operation that reads the rest when entries are left out. */
  readonly rest: string
}

/** Characters reserved for the pointer to what was left out. */
const pointerRoom = 120

/** Who wrote a text, and when. */
export interface Origin {
  /** The author's name or id; null if unknown. */
  readonly by: string | null
  /** The author's kind, with a name. */
  readonly kind?: string
  readonly at: string | null
}

type Fact = string | number | boolean | null | undefined
type Texts = string | readonly string[] | null | undefined

/**
 * Markdown for an agent's context: a first line that says what it is, then sections; empty ones are left out, long ones
 * truncated with a pointer to the operation that reads the rest. Headings, and everything outside quotation marks and
 * fences, are the service's words (trust 4).
 */
export class Page {
  readonly #first: string
  readonly #lines: string[] = []
  readonly #sections: Section[] = []

  /** The first line is `# <kind> "<title>" (<what>)`, without the title if there is none. */
  constructor(kind: string, title?: string, details: readonly string[] = []) {
    const about = details.length === 0 ? '' : ` (${details.map(plain).join(', ')})`
    this.#first = `# ${kind}${title === undefined ? '' : ` ${quoted(title)}`}${about}`
  }

  /** Adds a section, unless it has no entries; a line is an entry without texts below it. */
  section(title: string, entries: readonly (Entry | string | undefined)[], rest: string): this {
    const nonEmpty = entries
      .map(item => (typeof item === 'string' ? { line: item, blocks: [] } : item))
      .filter(item => item !== undefined)
      .filter(({ line, blocks }) => line !== '' || blocks.length > 0)
    if (nonEmpty.length > 0) this.#sections.push({ title, entries: nonEmpty, rest })
    return this
  }

  /** Adds a line below the first one, unless `text` is undefined. */
  line(name: string, text: string | undefined): this {
    if (text !== undefined) this.#lines.push(`${name}: ${plain(text)}`)
    return this
  }

  /** Adds a section with one fenced text, unless there is no text. */
  text(title: string, text: string | null | undefined, origin: Origin, rest: string): this {
    const content: WrittenText = { name: 'Text', text, ...origin }
    return this.section(title, [wholeText(content)], rest)
  }

  /**
   * Adds a section of the members that have a value, with ids in backticks.
   * @param facts facts from the service
   * @param texts texts by people and agents, shown in quotation marks
   */
  facts(
    title: string,
    facts: Readonly<Record<string, Fact | readonly string[]>>,
    texts: Readonly<Record<string, Texts>> = {},
  ): this {
    const lines = [
      ...Object.entries(facts).map(([name, value]) => factLine(name, value, isIdName(name) ? code : plain)),
      ...Object.entries(texts).map(([name, value]) => factLine(name, value, quoted)),
    ]
    return this.section(title, lines, '')
  }

  toString(): string {
    let page = [this.#first, ...this.#lines].join('\n')
    for (const { title, entries, rest } of this.#sections) {
      const room = Math.min(sectionLimit, pageLimit - page.length - title.length - pointerRoom)
      if (room < pointerRoom) break
      page += `\n\n## ${title}\n${fitted(entries, room, rest)}`
    }
    return page
  }
}

/** The entries that fit; the first is truncated if necessary, so that each section shows something. */
function fitted(entries: readonly Entry[], room: number, rest: string): string {
  const pointer = (more: string) => `… ${more}; ${rest === '' ? 'cut here' : `${rest} has the rest`}`
  let text = ''
  for (const [index, item] of entries.entries()) {
    const { text: shown, isCut } = showEntry(item, room - text.length - 1)
    if (!isCut) {
      text = text === '' ? shown : `${text}\n${shown}`
      continue
    }
    if (index > 0) return `${text}\n${pointer(`${entries.length - index} more`)}`
    return [shown, pointer('cut')].filter(part => part !== '').join('\n')
  }
  return text
}

function factLine(name: string, value: Fact | readonly string[], format: (text: string) => string): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const values = Array.isArray(value) ? value : [value]
  return values.length === 0 ? undefined : `- ${name}: ${values.map(item => format(String(item))).join(', ')}`
}

const isIdName = (name: string) => /(?:^|[_ ])ids?$/.test(name)
