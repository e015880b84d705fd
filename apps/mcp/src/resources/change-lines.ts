import type { BodyOf } from '../calls/reader.ts'
import { plain, quoted } from './quoting.ts'

type Change = BodyOf<'list_changes'>[number]

/** Maximum number of characters of the section (git 10). */
const maxCharacters = 600

/** The number of commits shown: the latest ones. */
const maxCommits = 3

/** The number of characters shown of names and titles: these come from forges and Git. */
const shownOfName = 60

const digitsShown = 12

const named = (text: string): string => quoted(text, shownOfName)

const checksOf = ({ checks }: Change): string => {
  const failing = checks.failing.length === 0 ? '' : `: ${checks.failing.slice(0, 5).map(named).join(', ')}`
  return checks.state === 'none' ? '' : `, checks ${checks.state}${failing}`
}

function requestLine(change: Change): string {
  const { number, title, state, draft, review, merge_commit } = change
  const decided = review === undefined || review.decision === 'none' ? '' : `, ${plain(review.decision)}`
  const merged = merge_commit == null ? '' : `, merged as ${merge_commit.slice(0, digitsShown)}`
  return `- pull request #${number} ${named(title)}: ${draft ? 'draft' : state}${decided}${checksOf(change)}${merged}`
}

const branchLine = ({ name, state }: Change): string => `- branch ${named(name ?? '')}: ${state}`

const commitLine = (change: Change): string =>
  `- commit ${(change.sha ?? '').slice(0, digitsShown)} ${named(change.title)}: ${change.state}${checksOf(change)}`

interface Figures {
  readonly files_changed: number | null
  readonly additions: number | null
  readonly deletions: number | null
}

/** How much changed, if known. */
const figuresLine = ({ files_changed, additions, deletions }: Figures): string[] =>
  files_changed === null ? [] : [`- ${files_changed} files, +${additions ?? 0} -${deletions ?? 0}`]

/** The changes of a card, in lines: branches, pull requests, amount of change, latest commits; as many as fit. */
export function changeLines(changes: readonly Change[], figures: Figures): string[] {
  const of = (kind: Change['kind']) => changes.filter(change => change.kind === kind)
  const lines = [
    ...of('branch').map(branchLine),
    ...of('pull_request').map(requestLine),
    ...figuresLine(figures),
    ...of('commit').slice(0, maxCommits).map(commitLine),
  ]
  let remaining = maxCharacters
  return lines.filter(line => {
    remaining -= line.length + 1
    return remaining >= 0
  })
}
