/** The issues of a file and of the files next to it, and which of their lines count (imports 1, 3). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { Fields } from '../fields.ts'
import { inPieces } from '../in-pieces.ts'
import type { Entry } from '../neutral.ts'
import { knowledge } from '../records.ts'
import { adjacentPartsOf } from './adjacent-parts.ts'
import { type AdjacentParts, excerptOf, type Issue, issueIn, textIn } from './issue.ts'
import { isOrchestration } from './issues.ts'
import { type Line, linesIn } from './lines.ts'

/** The issues that are imported: if several have the same id, the newest one, otherwise the last one. */
export function* issuesIn(
  file: Entry,
  entries: readonly Entry[],
  all: boolean,
  collected: Collection,
): InPieces<Issue[]> {
  const beside = yield* adjacentPartsOf(file, entries, collected)
  const issues = new Map<string, Issue>()
  yield* inPieces(yield* linesIn(file, collected), line => {
    const issue = issueOf(line, beside, collected)
    if (issue === undefined) return
    const before = issues.get(issue.id)
    const reason = reasonToSkip(issue, all)
    const about = { place: issue.place, kind: 'card', id: issue.id } as const
    if (reason !== undefined) collected.skipped(about, reason)
    else if (before === undefined) issues.set(issue.id, issue)
    else if (isNewer(before, issue))
      collected.skipped(about, `The issue is in line ${before.place.line} too, with a later updated_at.`)
    else {
      issues.set(issue.id, issue)
      collected.skipped(
        { ...about, place: before.place },
        `The issue is in line ${issue.place.line} again, which counts.`,
      )
    }
  })
  for (const [id, { labels, dependencies, comments }] of beside)
    if (!issues.has(id))
      collected.skipped(
        { place: { entry: file.name, line: null } },
        `${labels.length + dependencies.length + comments.length} more lines are about ${id}, which is not taken over.`,
      )
  return [...issues.values()]
}

function issueOf(
  { value, place }: Line,
  beside: ReadonlyMap<string, AdjacentParts>,
  collected: Collection,
): Issue | undefined {
  const kind = textIn(value._type) ?? 'issue'
  if (kind === 'memory') addMemory({ value, place }, collected)
  else if (kind === 'header' || kind === 'meta') collected.skipped({ place }, `A line about the file itself: ${kind}.`)
  else if (kind !== 'issue') collected.notRead({ place }, `A line of the unknown kind ${excerptOf(kind)}.`)
  else {
    const about = { place, kind: 'card', id: textIn(value.id) } as const
    const issue = issueIn(value, place, beside.get(about.id ?? ''), reason => collected.notRead(about, reason))
    if (issue === undefined)
      collected.notRead({ place }, `The line is not an issue: it needs id and title: ${excerptOf(value)}`)
    return issue
  }
  return undefined
}

/** Adds a memory that beads keeps for its agents as a knowledge entry. */
function addMemory({ value, place }: Line, collected: Collection): void {
  const { _type, ...fields } = value
  const key = textIn(fields.key) ?? textIn(fields.id)
  const text = textIn(fields.value) ?? textIn(fields.content)
  const isPlain = text !== null && Object.keys(fields).length <= 2
  collected.add(
    knowledge({
      id: collected.freeId(`memory:${key ?? place.line}`, { place, kind: 'knowledge' }),
      place,
      owner_type: 'spec',
      owner_id: collected.imported(place).id,
      title: key ?? 'Memory',
      content: isPlain ? text : `\`\`\`json\n${JSON.stringify(fields, null, 2)}\n\`\`\``,
    }),
  )
}

/** Whether the first was changed after the second. */
function isNewer(first: Issue, second: Issue): boolean {
  const [one, other] = [first, second].map(({ values }) => new Fields(values).moment('updated_at'))
  return one != null && other != null && one > other
}

function reasonToSkip(issue: Issue, all: boolean): string | undefined {
  if (issue.status === 'tombstone' || issue.values.deleted_at != null) return 'It was deleted: a tombstone.'
  if (all) return undefined
  if (issue.isTemplate) return 'A template, read with all=true only.'
  if (isOrchestration(issue))
    return `An orchestration record (${issue.isEphemeral ? 'ephemeral' : issue.type}), read with all=true only.`
  return undefined
}
