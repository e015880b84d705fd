import { code, fenced, plain, quoted, quotedWhole, startOf } from './quoting.ts'

/** A text as a person or agent wrote it, with what the record knows of its origin. */
export interface WrittenText {
  /** What the text is, in the service's words. */
  readonly name: string
  readonly text: string | null | undefined
  /** The author's id, or its name where there is a kind beside it; null where the author is not known. */
  readonly by: string | null
  readonly kind?: string
  /** When it was written or last changed, ISO 8601. */
  readonly at: string | null
}

/** A block between fences, below a line that says whose it is. */
interface Block {
  readonly lead: string
  readonly text: string
  readonly language?: string
}

/** An entry of a section: a line of the service's words and quoted texts, then texts between fences. */
export interface Entry {
  readonly line: string
  readonly blocks: readonly Block[]
}

const isPresent = ({ text }: WrittenText): boolean => text !== null && text !== undefined && text.trim() !== ''

/** Whose a text is: an agent's by name and kind, of an import by who brought it in. */
function signature({ by, kind, at }: WrittenText): string {
  if (by === null) return at === null ? ', author unknown' : ''
  if (kind === 'import') return ` by import, brought in by ${quoted(by)}`
  return kind === undefined ? ` by ${code(by)}` : ` by ${quoted(by)} (${plain(kind)})`
}

const block = (written: WrittenText): Block => {
  const { name, text, at } = written
  return { lead: `${name}${signature(written)}${at === null ? '' : `, ${plain(at)}`}:`, text: text! }
}

/**
 * A line with texts: those of one line and at most 200 characters stand quoted in it, the others between fences
 * below it (trust 4).
 */
export function entry(line: string, ...texts: readonly WrittenText[]): Entry {
  const inLine: string[] = []
  const blocks: Block[] = []
  for (const written of texts.filter(isPresent)) {
    const short = quotedWhole(written.text!)
    if (short === undefined) blocks.push(block(written))
    else inLine.push(`${written.name.toLowerCase()} ${short}`)
  }
  return { line: inLine.length === 0 ? line : `${line}: ${inLine.join(', ')}`, blocks }
}

/** A text that fills a section: always between fences; undefined when there is none. */
export const wholeText = (written: WrittenText): Entry | undefined =>
  isPresent(written) ? { line: '', blocks: [block(written)] } : undefined

/** Code of the service between fences. */
export const codeBlock = (language: string, text: string): Entry => ({
  line: '',
  blocks: [{ lead: '', text, language }],
})

/** Characters below which a text is left out instead of cut. */
const leastCut = 200

/** An entry in Markdown, and whether some of it was left out. */
export interface ShownEntry {
  readonly shown: string
  readonly isCut: boolean
}

/**
 * An entry in Markdown.
 * @param room characters that it may take; a text that does not fit is cut inside its fence, those after it are
 * left out
 */
export function showEntry({ line, blocks }: Entry, room = Infinity): ShownEntry {
  if (line.length > room) return { shown: `${startOf(line, room - 1)}…`, isCut: true }
  let shown = line
  for (const { lead, text, language } of blocks) {
    const before = [shown, lead].filter(part => part !== '').join('\n')
    const left = room - before.length - 1
    if (left < leastCut) return { shown, isCut: true }
    const { shown: within, isCut } = fenced(text, left, language)
    shown = before === '' ? within : `${before}\n${within}`
    if (isCut) return { shown, isCut }
  }
  return { shown, isCut: false }
}
