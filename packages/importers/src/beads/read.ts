/** Reads a beads file (exchange 2.2, imports 5). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { Fields } from '../fields.ts'
import { isEmpty } from '../imported-fields.ts'
import { inPieces } from '../in-pieces.ts'
import { linesOf, listItems } from '../markdown.ts'
import type { Entry, NeutralCard, NeutralSpec, ReadOptions } from '../neutral.ts'
import { card, comment, conclusion, distinct, joined, partOf, spec } from '../records.ts'
import type { Priority } from '../words/tables.ts'
import type { OwnWords } from '../words/words.ts'
import type { Issue, Link } from './issue.ts'
import { issuesIn } from './issue-file.ts'
import { Issues } from './issues.ts'

/** Priorities by number, highest first. */
const priorities: OwnWords<Priority> = new Map([
  ['0', 'critical'],
  ['1', 'high'],
  ['2', 'medium'],
  ['3', 'low'],
  ['4', 'none'],
])

/** Link types that mean waiting. */
const waiting: ReadonlySet<string> = new Set(['blocks', 'blocked-by'])

/** Sections of a card's details, and the fields that they come from. */
const sections = { design: 'Design', acceptance_criteria: 'Acceptance criteria', notes: 'Notes' }

/** Fields that beads computes from the links, or that repeat one of them. */
const computed = ['dependency_count', 'dependent_count', 'comment_count', '_type']

/** Reads a file of issues, and the files next to it; beads has no project name. */
export function* readBeads(
  file: Entry,
  entries: readonly Entry[],
  collected: Collection,
  options: ReadOptions,
): InPieces<null> {
  const issues = new Issues(yield* issuesIn(file, entries, options.all === true, collected))
  const reader = new IssueReader(collected, issues)
  for (const step of [reader.readSpec, reader.readCard, reader.readLinks])
    yield* inPieces(issues.all, step.bind(reader))
  return null
}

/** Converts issues to specs and cards with their parts. */
class IssueReader {
  readonly #collected: Collection
  readonly #issues: Issues

  constructor(collected: Collection, issues: Issues) {
    this.#collected = collected
    this.#issues = issues
  }

  readSpec(issue: Issue): void {
    if (!this.#issues.isSpec(issue)) return
    const parent = this.#issues.parentOf(issue)
    const fields = new Fields(issue.values)
    const record = spec({
      ...common(fields, issue),
      status: specStatus(this.#status(issue, fields)),
      archived: issue.isTemplate,
      context: parent === undefined ? null : partOf(parent.id, parent.title),
      labels: distinct([...issue.labels, ...ownLabels(issue)]),
      acceptance_criteria: criteriaIn(fields.text('acceptance_criteria')),
    })
    this.#collected.add(record)
    if (issue.status === 'closed' || issue.status === 'in_progress') fields.dropTexts('status')
    this.#keepRest(record, fields, issue)
    this.#collected.keep(
      record,
      'Links',
      this.#otherLinks(issue).map(link => this.#linkText(link)),
    )
  }

  readCard(issue: Issue): void {
    if (this.#issues.isSpec(issue)) return
    const fields = new Fields(issue.values)
    const { words } = this.#collected
    const shared = common(fields, issue)
    const closedAt = fields.moment('closed_at')
    const reference = fields.text('external_ref')
    const links = [
      ...this.#otherLinks(issue).map(link => this.#linkText(link)),
      ...(reference === null ? [] : [`external: ${reference}`]),
    ]
    const record = card({
      ...shared,
      spec_id: this.#specOf(issue),
      status: this.#status(issue, fields),
      priority: words.priority(fields.text('priority'), issue.place, priorities),
      card_type: words.cardType(issue.type, issue.place),
      archived: issue.isTemplate,
      moved_at: closedAt,
      details: joined([
        ...Object.entries(sections).map(([field, heading]) => section(heading, fields.text(field))),
        section('Links', links.map(link => `- ${link}`).join('\n')),
      ]),
      due_date: fields.moment('due_at'),
      labels: distinct([issue.type, ...issue.labels, ...ownLabels(issue), ...this.#subLabel(issue)]),
      conclusions: conclusionsOf(fields, shared.assignee_id, closedAt),
    })
    this.#collected.add(record)
    fields.drop('comments')
    fields.dropTexts('status')
    this.#keepRest(record, fields, issue)
    this.#addComments(record, issue)
  }

  /** Reads the links between cards, once all cards are read. */
  readLinks(issue: Issue): void {
    const { place } = issue
    for (const link of issue.links) {
      if (!waiting.has(link.type) || this.#isOnSpec(issue, link)) continue
      this.#collected.link({
        card_id: link.issue_id ?? issue.id,
        depends_on_id: link.depends_on_id,
        place,
        created_at: link.fields.moment('created_at'),
      })
    }
    const others = this.#otherLinks(issue).length
    if (others > 0)
      this.#collected.note(
        { place, kind: this.#issues.isSpec(issue) ? 'spec' : 'card', id: issue.id },
        `${others === 1 ? 'A link' : `${others} links`} that make no card wait: under "Links".`,
      )
  }

  #specOf(issue: Issue): string {
    const { place } = issue
    const above = this.#issues.specAbove(issue)
    if (above !== undefined) return above.id
    const parentId = this.#issues.parentIdOf(issue)
    if (parentId !== undefined && this.#issues.parentOf(issue) === undefined)
      this.#collected.note({ place, kind: 'card', id: issue.id }, `Its parent ${parentId} is not taken over.`)
    return this.#collected.imported(place).id
  }

  /** A label marks a card that is below another card. */
  #subLabel(issue: Issue): string[] {
    const parent = this.#issues.parentOf(issue)
    return parent === undefined || this.#issues.isSpec(parent) ? [] : [`sub:${parent.id}`]
  }

  #status({ status, place }: Issue, fields: Fields): NeutralCard['status'] {
    const ownStatus = this.#collected.words.status(status ?? 'open', place)
    return this.#collected.outcome(ownStatus, { closedAt: fields.moment('closed_at') })
  }

  /** Links that are neither dependencies of cards nor links to parents. */
  #otherLinks(issue: Issue): Link[] {
    return issue.links.filter(
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

  #addComments(card: NeutralCard, { remarks }: Issue): void {
    for (const [index, { fields, place }] of remarks.entries()) {
      const id = `${card.id}#comment-${fields.text('id') ?? index + 1}`
      this.#collected.add(
        comment({
          id: this.#collected.freeId(id, { place, kind: 'comment' }),
          place,
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

  /** Keeps the fields that have no counterpart in the record, including the fields of its links. */
  #keepRest(record: NeutralSpec | NeutralCard, fields: Fields, issue: Issue): void {
    fields.drop('labels', 'dependencies', ...computed)
    fields.dropTexts('issue_type', 'parent')
    fields.dropFlags('pinned', 'is_template')
    if (!issue.isEphemeral) fields.dropFlags('ephemeral')
    this.#collected.keepAll(record, fields.rest())
    this.#collected.keep(record, 'dependencies', issue.links.flatMap(linkRest))
  }
}

/** The further fields of a link, in one line. */
function linkRest(link: Link): string[] {
  const { depends_on_id, type, fields } = link
  fields.dropTexts('issue_id', 'depends_on_id', 'type')
  const details = Object.entries(fields.rest()).filter(
    ([name, value]) => !isEmpty(value) && !(name === 'metadata' && value === '{}'),
  )
  if (details.length === 0) return []
  return [`${type} ${depends_on_id}: ${details.map(([name, value]) => `${name} ${textOf(value)}`).join(', ')}`]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The reason and time of closing. Without a reason, the other fields are kept. */
function conclusionsOf(fields: Fields, assignee: string | null, closedAt: string | null): NeutralCard['conclusions'] {
  const text = fields.text('close_reason')
  if (text === null) return []
  const author = fields.text('closed_by') ?? assignee
  return [conclusion({ text, author, created_at: closedAt ?? fields.moment('updated_at') })]
}

const ownLabels = ({ isPinned, isTemplate }: Issue): string[] => [
  ...(isPinned ? ['pinned'] : []),
  ...(isTemplate ? ['template'] : []),
]

/** The status of an epic with children: in progress until it is closed. */
const specStatus = (status: NeutralCard['status']): NeutralSpec['status'] =>
  status === 'done' || status === 'cancelled' ? status : 'in_progress'

const section = (heading: string, text: string | null): string | null =>
  text === null || text === '' ? null : `## ${heading}\n\n${text}`

/** Acceptance criteria of a spec: the items of a list, or the paragraphs. */
function criteriaIn(text: string | null): string[] {
  if (text === null) return []
  const { items, prose } = listItems({ lines: linesOf(text), line: 1 })
  return distinct([...prose, ...items.map(item => item.text)])
}

/** The fields that specs and cards share. */
function common(fields: Fields, { id, title, place }: Issue) {
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
