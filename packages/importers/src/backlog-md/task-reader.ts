import type { Collection } from '../collected.ts'
import type { Fields } from '../fields.ts'
import { listItems, type Section, textOf, withHeading } from '../markdown.ts'
import type { NeutralCard, NeutralSpec, SourcePlace } from '../neutral.ts'
import { card, comment, conclusion, distinct, joined, knowledge, partOf, spec } from '../records.ts'
import { specStatuses } from '../words/spec-status.ts'
import { checkList, commentBlocks, type Document, headed, textsOf } from './document.ts'
import type { Milestones } from './milestones.ts'
import { isArchived, type Task, type Tasks } from './tasks.ts'

/** Fields that go into the knowledge entry "Sources", with their headings there. */
const sources = { references: 'References', documentation: 'Documentation', modified_files: 'Modified files' }

const criteria = 'acceptance criteria'
const summary = ['final summary']

/** The fields that cards and specs share. */
interface Common {
  readonly id: string
  readonly place: SourcePlace
  readonly title: string
  readonly assignee_id: string | null
  readonly labels: readonly string[]
  readonly created_by: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

/** Converts tasks to specs and cards with their parts (exchange 2.1). */
export class TaskReader {
  readonly #collected: Collection
  readonly #tasks: Tasks
  readonly #milestones: Milestones
  /** The ids of the records made from tasks. */
  readonly #ids = new Map<Task, string>()

  constructor(collected: Collection, tasks: Tasks, milestones: Milestones) {
    this.#collected = collected
    this.#tasks = tasks
    this.#milestones = milestones
    const ids = collected.identified(
      tasks.all.map(task => ({ ...task, kind: tasks.childrenOf(task).length > 0 ? 'spec' : 'card' })),
    )
    for (const [at, task] of tasks.all.entries()) this.#ids.set(task, ids[at]!)
  }

  /** Reads a task that is the parent of others. */
  readParent(task: Task): void {
    const parent = this.#tasks.parentOf(task)
    const { fields } = task
    const record = spec({
      ...this.#common(task),
      status: specStatuses[this.#status(task)],
      archived: isArchived(task) && this.#tasks.childrenOf(task).every(isArchived),
      description: describing(task),
      context: parent === undefined ? null : partOf(parent.id, parent.title),
      acceptance_criteria: distinct(
        checkList(task.sections.filter(section => headed(section, criteria))).map(({ text }) => text),
      ),
    })
    this.#collected.add(record)
    this.#collected.keepAll(record, { priority: fields.text('priority'), due_date: fields.text('due_date') })
    this.#keepRest(task, record)
    for (const section of task.sections)
      if (section.heading !== null && !headed(section, 'description') && !isPlainCriteria(section))
        this.#collected.keep(record, section.heading, textOf(section))
    this.#addSources(task, record)
  }

  /** Reads a task without subtasks. */
  readLeaf(task: Task): void {
    const common = this.#common(task)
    const summaries = joined(textsOf(task, ...summary))
    const record = card({
      ...common,
      spec_id: this.#specOf(task),
      status: this.#status(task),
      priority: this.#collected.words.priority(task.fields.text('priority'), placeOf(task, 'priority')),
      card_type: this.#collected.words.cardType(task.fields.peek('type'), placeOf(task, 'type')),
      archived: isArchived(task),
      description: describing(task),
      details: joined(
        task.sections
          .filter(section => section.heading !== null && !headed(section, 'description', 'comments', ...summary))
          .map(withHeading),
      ),
      due_date: this.#collected.moment(task.fields, 'due_date'),
      conclusions:
        summaries === null
          ? []
          : [conclusion({ text: summaries, author: null, created_at: common.updated_at ?? common.created_at })],
    })
    this.#collected.add(record)
    this.#keepRest(task, record)
    this.#addSources(task, record)
    this.#addComments(task, record)
  }

  /** Reads the links of a task, once all tasks are read. */
  readLinks(task: Task): void {
    const id = this.#ids.get(task)!
    const place = placeOf(task, 'dependencies')
    for (const reference of task.fields.list('dependencies')) {
      const found = this.#tasks.named(reference, task)
      const [target] = found
      const parent = [task, target].find(end => end !== undefined && this.#tasks.childrenOf(end).length > 0)
      if (target === undefined)
        this.#collected.skippedLink(id, reference, place, `A link to ${reference}, which is not a card here.`)
      else if (found.length > 1)
        this.#collected.skippedLink(
          id,
          reference,
          place,
          `A link to ${reference}, which ${inFiles(found)} have as their id.`,
        )
      else if (parent === undefined)
        this.#collected.link({ card_id: id, depends_on_id: this.#ids.get(target)!, place, created_at: null })
      else
        this.#collected.note(
          { place, kind: parent === task ? 'spec' : 'card', id },
          `It depends on ${reference}. ${parent.id} has subtasks and is a spec, and only cards depend on one another.`,
        )
    }
  }

  #common(task: Task): Common {
    const { fields, place, title } = task
    const id = this.#ids.get(task)!
    const [assignee, ...others] = namesIn(fields)
    const milestone = fields.text('milestone')
    return {
      id,
      place,
      title,
      assignee_id: assignee === undefined ? null : withoutAt(assignee),
      labels: distinct([
        ...fields.list('labels'),
        ...(milestone === null ? [] : [`milestone:${milestone.trim()}`]),
        ...(task.folder.endsWith('drafts') ? ['draft'] : []),
        ...others.map(name => `also:@${withoutAt(name)}`),
      ]),
      created_by: authorIn(task),
      created_at: this.#collected.moment(fields, 'created_date'),
      updated_at: this.#collected.moment(fields, 'updated_date'),
    }
  }

  #specOf(task: Task): string {
    const parent = this.#tasks.parentOf(task)
    const about = { place: placeOf(task, 'parent_task_id'), kind: 'card', id: task.id } as const
    if (task.parentId !== null && parent === undefined)
      this.#collected.note(about, this.#missingParent(task, task.parentId))
    if (parent !== undefined && (isArchived(parent) || !isArchived(task))) return this.#ids.get(parent)!
    if (parent !== undefined) this.#collected.note(about, `It is archived, its parent ${parent.id} is not.`)
    if (isArchived(task)) return this.#collected.ownSpec('Backlog (archived)', task.place, { archived: true }).id
    const milestone = task.fields.text('milestone')
    if (milestone !== null) return this.#milestones.specFor(milestone, placeOf(task, 'milestone'))
    return this.#collected.ownSpec('Backlog', task.place).id
  }

  #missingParent(task: Task, parentId: string): string {
    const found = this.#tasks.named(parentId, task)
    return found.length > 1
      ? `Its parent ${parentId} could be ${inFiles(found)}.`
      : `Its parent ${parentId} is not in the folder.`
  }

  #status(task: Task): NeutralCard['status'] {
    const status = this.#collected.words.status(task.fields.text('status'), placeOf(task, 'status'))
    return this.#collected.outcome(status, { isDone: task.folder === 'completed' })
  }

  /** Keeps the fields that have no counterpart in the record. */
  #keepRest({ fields }: Task, record: NeutralSpec | NeutralCard): void {
    for (const name of ['dependencies', ...Object.keys(sources)]) fields.list(name)
    this.#collected.keepAll(record, fields.rest())
  }

  #addSources(task: Task, owner: NeutralSpec | NeutralCard): void {
    const parts = Object.entries(sources).map(([field, heading]) => {
      const listed = task.fields.list(field)
      return listed.length === 0 ? null : `## ${heading}\n\n${listed.map(source => `- ${source}`).join('\n')}`
    })
    const content = joined(parts)
    if (content === null) return
    this.#collected.add(
      knowledge({
        id: `${owner.id}#sources`,
        place: task.place,
        owner_type: owner.type,
        owner_id: owner.id,
        title: 'Sources',
        content,
        created_at: owner.created_at,
      }),
    )
  }

  #addComments(task: Task, card: NeutralCard): void {
    const blocks = task.sections.filter(section => headed(section, 'comments')).flatMap(commentBlocks)
    for (const [index, { fields, content, line }] of blocks.entries()) {
      const id = `${card.id}#comment-${index + 1}`
      const place = { ...task.place, line }
      const author = fields.text('author')
      this.#collected.add(
        comment({
          id,
          place,
          card_id: card.id,
          content,
          created_by: author === null ? 'backlog-md' : withoutAt(author),
          created_at: this.#collected.moment(fields, 'created'),
        }),
      )
      for (const [name, value] of Object.entries(fields.rest()))
        this.#collected.keep(card, `${name} of comment ${index + 1}`, value)
    }
  }
}

/** Whether a section only contains acceptance criteria: no box is checked, and there is no other text. */
const isPlainCriteria = (section: Section): boolean =>
  headed(section, criteria) &&
  listItems(section).prose.length === 0 &&
  listItems(section).items.every(({ checked }) => checked !== true)

const describing = (document: Document): string | null =>
  joined([
    ...document.sections.filter(({ heading }) => heading === null).map(textOf),
    ...textsOf(document, 'description'),
  ])

const placeOf = (task: Task, field: string): SourcePlace => ({ ...task.place, line: task.lineOf(field) })

const withoutAt = (name: string): string => name.trim().replace(/^@/, '')

function authorIn({ fields }: Task): string | null {
  const reporter = fields.text('reporter')
  return reporter === null ? null : withoutAt(reporter)
}

const inFiles = (tasks: readonly Task[]): string => tasks.map(({ place }) => place.entry).join(' and ')

/** Names of people: from a list, or from a text if each name is preceded by @. */
function namesIn(fields: Fields): string[] {
  const names = fields.list('assignee')
  const whole = fields.text('assignee')
  return whole === null || names.every(name => name.startsWith('@')) ? names : [whole]
}
