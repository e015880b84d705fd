/** Maximum characters of a page (mcp 12). */
const pageLimit = 24_000

/** Maximum characters of one section, so that a long text leaves room for what follows. */
const sectionLimit = 7_000

interface Section {
  readonly title: string
  readonly lines: readonly string[]
  /** The operation that has the rest when lines are left out. */
  readonly rest: string
}

/** Characters kept for the pointer to what was cut. */
const pointerRoom = 120

/**
 * Markdown made for an agent's context: a first line that says what it is, then sections; empty ones are
 * left out, long ones cut with a pointer to the operation that has the rest.
 */
export class Page {
  readonly #first: string
  readonly #sections: Section[] = []

  /** The first line is `# <kind> <title> (<what>)`. */
  constructor(kind: string, title: string, what: readonly string[] = []) {
    const about = what.length === 0 ? '' : ` (${what.join(', ')})`
    this.#first = `# ${kind} ${oneLine(title)}${about}`
  }

  /** Adds a section, unless it has no lines. */
  section(title: string, lines: readonly (string | undefined)[], rest: string): this {
    const kept = lines.filter(line => line !== undefined && line !== '') as string[]
    if (kept.length > 0) this.#sections.push({ title, lines: kept, rest })
    return this
  }

  /** Adds a section of one text, unless there is none. */
  text(title: string, text: string | null | undefined, rest: string): this {
    return this.section(title, [text ?? undefined], rest)
  }

  /** Adds a section of the members that have a value, ids in backticks. */
  facts(title: string, facts: Readonly<Record<string, unknown>>): this {
    const lines = Object.entries(facts)
      .filter(
        ([, value]) =>
          value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
      )
      .map(([name, value]) => `- ${name}: ${shown(name, value)}`)
    return this.section(title, lines, '')
  }

  toString(): string {
    let page = this.#first
    for (const { title, lines, rest } of this.#sections) {
      const room = Math.min(sectionLimit, pageLimit - page.length - title.length - pointerRoom)
      if (room < pointerRoom) break
      page += `\n\n## ${title}\n${fitted(lines, room, rest)}`
    }
    return page
  }
}

function fitted(lines: readonly string[], room: number, rest: string): string {
  let text = ''
  for (const [index, line] of lines.entries()) {
    const next = text === '' ? line : `${text}\n${line}`
    if (next.length <= room) {
      text = next
      continue
    }
    const started = index === 0 ? line.slice(0, room) : text
    const more = index === 0 ? 'cut' : `${lines.length - index} more`
    return `${started}\n… ${more}; ${rest === '' ? 'cut here' : `${rest} has the rest`}`
  }
  return text
}

const shown = (name: string, value: unknown): string => {
  if (Array.isArray(value)) return value.map(item => shown(name, item)).join(', ')
  return isIdName(name) ? code(String(value)) : oneLine(String(value))
}

const isIdName = (name: string) => /(?:^|[_ ])ids?$/.test(name)

/** An id as pages show it. */
export const code = (id: string): string => `\`${id}\``

/** A text without line breaks. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
