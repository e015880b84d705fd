/** Reads a beads file (exchange 2.2). */
import type { InPieces } from '@specboard/contract'
import { Collected } from '../collected.ts'
import { Fields } from '../fields.ts'
import { stemOf } from '../files.ts'
import { isEmpty } from '../imported-fields.ts'
import { linesOf, listItems } from '../markdown.ts'
import { momentOf } from '../moments.ts'
import type { Entry, NeutralCard, NeutralSpec, Place, Reader } from '../neutral.ts'
import { card, comment, conclusion, distinct, joined, partOf, spec } from '../records.ts'
import { type Issue, issueOf, type Link, looksLikeIssues, type Placed } from './issue.ts'
import { Issues, isOrchestration, linksOf, typeOf } from './issues.ts'

const statuses: ReadonlyMap<string, NeutralCard['status']> = new Map([
  ['open', 'not_started'],
  ['in_progress', 'in_progress'],
  ['hooked', 'in_progress'],
  ['blocked', 'on_hold'],
  ['deferred', 'on_hold'],
  ['closed', 'done'],
  ['pinned', 'not_started'],
])

const priorities = ['critical', 'high', 'medium', 'low', 'none'] as const

/** Links that say which card waits for which. */
const waiting: ReadonlySet<string> = new Set(['blocks', 'blocked-by'])

/** Sections of a card's details, with the fields that they come from. */
const sections = { design: 'Design', acceptance_criteria: 'Acceptance criteria', notes: 'Notes' }

/** Fields that beads counts from the links, or that repeat one of them. */
const computed = ['dependency_count', 'dependent_count', 'comment_count', 'parent']

/** Lines and issues read in one piece of work. */
const ofAPiece = 100

export const readBeads: Reader = function* (source, options) {
  const collected = new Collected()
  const file = source.entries.find(looksLikeIssues)
  for (const entry of source.entries)
    if (entry !== file) collected.skipped({ place: { entry: entry.name, line: null } }, 'It is no file of issues.')
  const issues = new Issues(yield* issuesIn(file, options.all === true, collected))
  const reader = new IssueReader(collected, issues)
  const steps = [reader.readSpec, reader.readCard, reader.readLinks]
  for (const step of steps.map(method => method.bind(reader)))
    for (const [index, placed] of issues.all.entries()) {
      step(placed)
      if (index % ofAPiece === 0) yield
    }
  return yield* collected.finish(options.name ?? (source.filename && stemOf(source.filename)) ?? 'beads')
}

/** The issues that are taken over. */
function* issuesIn(file: Entry | undefined, all: boolean, collected: Collected): InPieces<Placed[]> {
  const taken = new Map<string, Placed>()
  for (const [index, line] of linesOf(file?.text ?? '').entries()) {
    if (index % ofAPiece === 0) yield
    if (line.trim() === '') continue
    const place = { entry: file?.name ?? null, line: index + 1 }
    const issue = issueOf(line, place)
    const reason = reasonToSkip(issue, all, taken.get(issue.id))
    if (reason === undefined) taken.set(issue.id, { issue, place })
    else collected.skipped({ place, kind: 'card', id: issue.id }, reason)
  }
  return [...taken.values()]
}

function reasonToSkip(issue: Issue, all: boolean, before: Placed | undefined): string | undefined {
  if (issue.status === 'tombstone') return 'It was deleted: a tombstone.'
  if (!all && isOrchestration(issue))
    return `An orchestration record (${issue.ephemeral === true ? 'ephemeral' : typeOf(issue)}), read with all=true only.`
  return before && `The issue stands in line ${before.place.line} already.`
}

/** Turns issues into specs and cards with their parts. */
class IssueReader {
  readonly #collected: Collected
  readonly #issues: Issues

  constructor(collected: Collected, issues: Issues) {
    this.#collected = collected
    this.#issues = issues
  }

  readSpec({ issue, place }: Placed): void {
    if (!this.#issues.isSpec(issue)) return
    const parent = this.#issues.parentOf(issue)
    const fields = new Fields(issue)
    const record = spec({
      ...common(fields, issue, place),
      status: issue.status === 'closed' ? 'done' : 'in_progress',
      context: parent === undefined ? null : partOf(parent.id, parent.title),
      labels: distinct([...(issue.labels ?? []), ...pinnedLabel(issue)]),
      acceptance_criteria: criteriaIn(fields.text('acceptance_criteria')),
    })
    this.#collected.add(record)
    if (issue.status === 'closed' || issue.status === 'in_progress') fields.drop('status')
    this.#keepRest(record, fields, issue)
    this.#collected.keep(
      record,
      'Links',
      this.#otherLinks(issue).map(link => this.#linkText(link)),
    )
  }

  readCard({ issue, place }: Placed): void {
    if (this.#issues.isSpec(issue)) return
    const fields = new Fields(issue)
    const shared = common(fields, issue, place)
    const reference = fields.text('external_ref')
    const links = [
      ...this.#otherLinks(issue).map(link => this.#linkText(link)),
      ...(reference === null ? [] : [`external: ${reference}`]),
    ]
    const record = card({
      ...shared,
      spec_id: this.#specOf({ issue, place }),
      status: this.#status(issue, place),
      priority: this.#priority(issue, place),
      details: joined([
        ...Object.entries(sections).map(([field, heading]) => section(heading, fields.text(field))),
        section('Links', links.map(link => `- ${link}`).join('\n')),
      ]),
      due_date: fields.moment('due_at'),
      labels: distinct([typeOf(issue), ...(issue.labels ?? []), ...pinnedLabel(issue), ...this.#subLabel(issue)]),
      conclusions: conclusionsOf(fields, shared.assignee_id),
    })
    this.#collected.add(record)
    fields.drop('status', 'priority', 'comments')
    this.#keepRest(record, fields, issue)
    this.#addComments(record, issue)
  }

  /** Links between cards, when all cards are there. */
  readLinks({ issue, place }: Placed): void {
    for (const link of linksOf(issue)) {
      if (!waiting.has(link.type) || this.#isOnSpec(issue, link)) continue
      this.#collected.link({
        card_id: link.issue_id ?? issue.id,
        depends_on_id: link.depends_on_id,
        place,
        created_at: momentOf(link.created_at ?? ''),
      })
    }
    const others = this.#otherLinks(issue).length
    if (others > 0)
      this.#collected.note(
        { place, kind: this.#issues.isSpec(issue) ? 'spec' : 'card', id: issue.id },
        `${others === 1 ? 'A link' : `${others} links`} that no card waits by: under "Links".`,
      )
  }

  #specOf({ issue, place }: Placed): string {
    const above = this.#issues.specAbove(issue)
    if (above !== undefined) return above.id
    const parentId = this.#issues.parentIdOf(issue)
    if (parentId !== undefined && this.#issues.parentOf(issue) === undefined)
      this.#collected.note({ place, kind: 'card', id: issue.id }, `Its parent ${parentId} is not taken over.`)
    return this.#collected.imported(place).id
  }

  /** A card below a card says so by a label. */
  #subLabel(issue: Issue): string[] {
    const parent = this.#issues.parentOf(issue)
    return parent === undefined || this.#issues.isSpec(parent) ? [] : [`sub:${parent.id}`]
  }

  #status({ id, status }: Issue, place: Place): NeutralCard['status'] {
    const written = status || 'open'
    const read = statuses.get(written)
    if (read === undefined)
      this.#collected.note({ place, kind: 'card', id }, `The status "${written}" is read as not started.`)
    return read ?? 'not_started'
  }

  #priority({ id, priority }: Issue, place: Place): NeutralCard['priority'] {
    if (priority == null) return 'none'
    const read = priorities[priority]
    if (read === undefined)
      this.#collected.note({ place, kind: 'card', id }, `The priority ${priority} is read as none.`)
    return read ?? 'none'
  }

  /** Links that are no dependencies of cards, without those to parents. */
  #otherLinks(issue: Issue): Link[] {
    return linksOf(issue).filter(
      link => link.type !== 'parent-child' && (!waiting.has(link.type) || this.#isOnSpec(issue, link)),
    )
  }

  #isOnSpec(issue: Issue, link: Link): boolean {
    return [link.issue_id ?? issue.id, link.depends_on_id].some(id => {
      const end = this.#issues.named(id)
      return end !== undefined && this.#issues.isSpec(end)
    })
  }

  #linkText({ type, depends_on_id }: Link): string {
    const target = this.#issues.named(depends_on_id)
    return `${type}: ${depends_on_id}${target === undefined ? '' : ` ${target.title}`}`
  }

  #addComments(card: NeutralCard, { comments }: Issue): void {
    for (const [index, remark] of (comments ?? []).entries()) {
      const fields = new Fields(remark)
      const id = `${card.id}#comment-${fields.text('id') ?? index + 1}`
      this.#collected.add(
        comment({
          id: this.#collected.freeId(id, { place: card.place, kind: 'comment' }),
          place: card.place,
          card_id: card.id,
          content: fields.text('text') ?? '',
          created_by: fields.text('author'),
          created_at: fields.moment('created_at'),
        }),
      )
      fields.drop('issue_id')
      for (const [name, value] of Object.entries(fields.rest()))
        this.#collected.keep(card, `${name} of comment ${index + 1}`, value)
    }
  }

  /** Keeps what no field of a record takes, the fields of its links included. */
  #keepRest(record: NeutralSpec | NeutralCard, fields: Fields, issue: Issue): void {
    fields.drop('issue_type', 'labels', 'dependencies', 'pinned', ...computed)
    if (issue.ephemeral !== true) fields.drop('ephemeral')
    this.#collected.keepAll(record, fields.rest())
    this.#collected.keep(record, 'dependencies', linksOf(issue).flatMap(linkRest))
  }
}

/** What a link says besides its ends, in a line. */
function linkRest(link: Link): string[] {
  const { issue_id, depends_on_id, type, metadata, ...rest } = link
  const said = Object.entries({ ...rest, ...(metadata !== '{}' && { metadata }) }).filter(
    ([, value]) => !isEmpty(value),
  )
  if (said.every(([name]) => name === 'created_at') && waiting.has(type)) return []
  return [`${type} ${depends_on_id}: ${said.map(([name, value]) => `${name} ${textOf(value)}`).join(', ')}`]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Why and when a card was closed. Without a reason, the other fields are kept. */
function conclusionsOf(fields: Fields, assignee: string | null): NeutralCard['conclusions'] {
  const text = fields.text('close_reason')
  if (text === null) return []
  const author = fields.text('closed_by') ?? assignee
  return [conclusion({ text, author, created_at: fields.moment('closed_at') ?? fields.moment('updated_at') })]
}

const pinnedLabel = ({ pinned, status }: Issue): string[] => (pinned === true || status === 'pinned' ? ['pinned'] : [])

const section = (heading: string, text: string | null): string | null =>
  text === null || text === '' ? null : `## ${heading}\n\n${text}`

/** Acceptance criteria of a spec: the items of the list, or the paragraphs. */
function criteriaIn(text: string | null): string[] {
  if (text === null) return []
  const { items, prose } = listItems({ lines: linesOf(text), line: 1 })
  return distinct([...prose, ...items.map(item => item.text)])
}

/** What specs and cards take alike. */
function common(fields: Fields, { id, title }: Issue, place: Place) {
  fields.drop('id', 'title')
  return {
    id,
    place,
    title,
    description: fields.text('description'),
    assignee_id: fields.text('assignee'),
    created_by: fields.text('created_by'),
    created_at: fields.moment('created_at'),
    updated_at: fields.moment('updated_at'),
  }
}
