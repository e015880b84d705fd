/** The report of a card that is moved by a change, taken from the change's text (git 7). Pure. */
import type { SentReport } from '../cards/gates/report.ts'
import { readable } from '../git/recognition.ts'

/** What a change says about the work. */
export interface ReportedWork {
  readonly title: string
  readonly body: string | null
  /** The name used when it mentions no check: `pull request #12`. */
  readonly name: string
}

/** Maximum number of characters of a check (cards 4.4). */
const maxCheckLength = 2_000

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9'

/** The separators between a share and its reason. */
const between: ReadonlySet<string> = new Set([' ', '\t', '%', '-', '–', '—', ':', ','])

/** A share with its reason, as in `90 – the export is missing`; undefined for other text. */
function shareOf(value: string): readonly [share: number, reason: string] | undefined {
  let end = 0
  while (isDigit(value[end])) end++
  const share = Number(value.slice(0, end))
  if (end === 0 || end > 3 || share > 100) return undefined
  while (between.has(value[end] ?? '')) end++
  return [share, value.slice(end).trim()]
}

/** The named lines of a text, as in `Drift: 5 – why`; the last one of each name counts. */
function namedLines(text: string): ReadonlyMap<string, string> {
  const lines = readable(text)
    .split('\n')
    .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const)
  return new Map(lines.map(([name, value]) => [name.trim().toLowerCase(), value.trim()]))
}

function sharePart(name: 'completeness' | 'drift', value: string | undefined): SentReport {
  const share = value === undefined ? undefined : shareOf(value)
  return share === undefined ? {} : { [name]: share[0], [`${name}_justification`]: share[1] }
}

/**
 * The report of a card from a change: its title and text, with the shares given in its lines. For a small change the
 * check is that of a line, or else the change itself.
 */
export function reportOfChange({ title, body, name }: ReportedWork, isSmall: boolean): SentReport {
  const lines = namedLines(body ?? '')
  const check = lines.get('check') || (isSmall ? name : undefined)
  return {
    conclusion: [title, body ?? ''].filter(part => part.trim() !== '').join('\n\n') || name,
    ...sharePart('completeness', lines.get('completeness')),
    ...sharePart('drift', lines.get('drift')),
    ...(check !== undefined && { check: { how: check.slice(0, maxCheckLength) } }),
  }
}
