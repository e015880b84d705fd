import { code, fenced, plain, quoted, quotedWhole, startOf } from './quoting.ts'

/** A text written by a person or agent, with what the record knows about its origin. */
export interface WrittenText {
  /** The name of the text, in the service's words. */
  readonly name: string
  readonly text: string | null | undefined
  /** The author's id, or the name if the kind is given too; null if the author is unknown. */
  readonly by: string | null
  readonly kind?: string
  /** When it was written or last changed, ISO 8601. */
  readonly at: string | null
}

/** A fenced block, below a line that names the author of its text. */
interface Block {
  readonly lead: string
  readonly text: string
  readonly language?: string
}

/** An entry of a section: a line of the service's words and quoted texts, then fenced texts. */
export interface Entry {
  readonly line: string
  readonly blocks: readonly Block[]
}

const isPresent = ({ text }: WrittenText): boolean => text !== null && text !== undefined && text.trim() !== ''

/** The author of a text: an agent by name and kind, an imported text by who imported it. */
function signature({ by, kind, at }: WrittenText): string {
  if (by === null) return at === null ? ', author unknown' : ''
  if (kind === 'import') return ` by import, brought in by ${quoted(by)}`
  return kind === undefined ? ` by ${code(by)}` : ` by ${quoted(by)} (${plain(kind)})`
}

const block = (content: WrittenText): Block => {
  const { name, text, at } = content
  return { lead: `${name}${signature(content)}${at === null ? '' : `, ${plain(at)}`}:`, text: text! }
}

/**
 * A line with texts: short single-line ones of at most 200 characters are quoted in it, the others fenced below it
 * (trust 4).
 */
export function entry(line: string, ...texts: readonly WrittenText[]): Entry {
  const inLine: string[] = []
  const blocks: Block[] = []
  for (const content of texts.filter(isPresent)) {
    const short = quotedWhole(content.text!)
    if (short === undefined) blocks.push(block(content))
    else inLine.push(`${content.name.toLowerCase()} ${short}`)
  }
  return { line: inLine.length === 0 ? line : `${line}: ${inLine.join(', ')}`, blocks }
}

/** A text that fills a section: always fenced; undefined when there is none. */
export const wholeText = (content: WrittenText): Entry | undefined =>
  isPresent(content) ? { line: '', blocks: [block(content)] } : undefined

/** Fenced code of the service. */
export const codeBlock = (language: string, text: string): Entry => ({
  line: '',
  blocks: [{ lead: '', text, language }],
})

/** The length below which a text is left out instead of truncated, characters. */
const minCutLength = 200

/** An entry in Markdown, and whether some of it was left out. */
export interface ShownEntry {
  readonly text: string
  readonly isCut: boolean
}

/**
 * An entry in Markdown.
 * @param room characters that it may take; a text that does not fit is truncated inside its fence, those after it are
 *   left out
 */
export function showEntry({ line, blocks }: Entry, room = Infinity): ShownEntry {
  if (line.length > room) return { text: `${startOf(line, room - 1)}…`, isCut: true }
  let shown = line
  for (const { lead, text, language } of blocks) {
    const before = [shown, lead].filter(part => part !== '').join('\n')
    const remaining = room - before.length - 1
    if (remaining < minCutLength) return { text: shown, isCut: true }
    const { text: within, isCut } = fenced(text, remaining, language)
    shown = before === '' ? within : `${before}\n${within}`
    if (isCut) return { text: shown, isCut }
  }
  return { text: shown, isCut: false }
}
