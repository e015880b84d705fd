/** The refusal of a source that matches no format (imports 1). */
import type { FormatFindings, Miss } from './format.ts'
import { formats } from './formats.ts'
import { type Entry, type ImportFormat, importFormats, type Source } from './neutral.ts'
import { unreadFormat } from './unread-formats.ts'

/** Maximum number of files that a refusal names. */
const maxFiles = 5

/** Maximum number of characters of found content that it shows. */
const maxShown = 80

/** What was expected, what was found, which formats nearly match, and what would help. */
export function refusalOf(
  source: Source,
  format: ImportFormat | undefined,
  findings: readonly FormatFindings[],
): string {
  const lookalike = unreadFormat(source)
  const near = findings.flatMap(({ name, found }) => (found.verdict === 'no' ? [`${name}: ${placed(found)}`] : []))
  const others = findings.filter(({ name, found }) => found.verdict !== 'no' && name !== format).map(({ name }) => name)
  return [
    format === undefined ? 'This is in no format that can be imported.' : `This is not in the format ${format}.`,
    lookalike === undefined ? '' : `It looks like ${lookalike.name}, which is not read here. ${lookalike.instead}`,
    `Looked for: ${(format === undefined ? importFormats : [format]).map(name => `${name}: ${formats[name].looksFor}`).join('; ')}.`,
    `Found: ${foundIn(source)}.`,
    near.length === 0 ? '' : sentence(`Closest matches: ${near.slice(0, maxFiles).join('; ')}`),
    others.length === 0
      ? ''
      : `It may be ${others.join(' or ')}: name that as format (--format), or leave the format out.`,
    `The formats are ${['specboard', ...importFormats].join(', ')}.`,
  ]
    .filter(part => part !== '')
    .join(' ')
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

const placed = ({ at, line, reason }: Miss): string =>
  [at === null ? '' : `${at}: `, reason, line == null ? '' : ` (line ${line})`].join('')

function foundIn({ entries }: Source): string {
  if (entries.length === 0) return 'no file'
  const list = entries.slice(0, maxFiles).map(shownFile).join('; ')
  const more = entries.length - maxFiles
  return `${entries.length === 1 ? '1 file' : `${entries.length} files`}: ${list}${more > 0 ? `; and ${more} more` : ''}`
}

function shownFile({ name, text, encoding }: Entry): string {
  const file = name ?? 'the file'
  if (text === null) return `${file}, which is not text`
  const first = text.split('\n', 20).find(line => line.trim() !== '')
  if (first === undefined) return `${file}, which is empty`
  return `${file} (${encoding ?? 'UTF-8'}), which begins with ${JSON.stringify(first.trim().slice(0, maxShown))}`
}
