/** Reads a Backlog.md folder (exchange 2.1). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { Fields } from '../fields.ts'
import { nameOf, stemOf } from '../files.ts'
import { frontMatter, type Lines, textOf } from '../markdown.ts'
import { type Entry, type SourcePlace, Unreadable } from '../neutral.ts'
import { distinct, guideline, knowledge } from '../records.ts'
import { yamlFields } from '../yaml.ts'
import { decisionOf } from './decisions.ts'
import { checkList, type Document, documentOf, documentWithoutHead, headed } from './document.ts'
import { type BacklogFolder, type Kind, kindOf, type TaskFolder } from './folder.ts'
import { Milestones } from './milestones.ts'
import { TaskReader } from './task-reader.ts'
import { type Task, Tasks } from './tasks.ts'

/** A file that is text. */
type TextEntry = Entry & { readonly text: string }

/** The contents of the folder, by kind. */
interface Folder {
  readonly tasks: Task[]
  readonly milestones: { readonly document: Document; readonly archived: boolean }[]
  readonly decisions: Document[]
  readonly docs: { readonly path: string; readonly entry: TextEntry }[]
  config: TextEntry | undefined
}

/** The spec for decisions and documents. */
const projectSpec = 'Project decisions'

/** Reads a folder; returns the name in its configuration. */
export function* readBacklog({ files, config }: BacklogFolder, collected: Collection): InPieces<string | null> {
  const folder: Folder = { tasks: [], milestones: [], decisions: [], docs: [], config: undefined }
  for (const { path, entry } of files) {
    sortIn(folder, path, entry, collected)
    yield
  }
  const { name, prefix } = configured(folder.config ?? withText(config, collected), collected)
  yield* readTasks(folder, prefix, collected)
  readDecisions(folder, collected)
  return name
}

function withText(entry: Entry | undefined, collected: Collection): TextEntry | undefined {
  const text = entry && collected.textOf(entry)
  return entry === undefined || text == null ? undefined : { ...entry, text }
}

function sortIn(folder: Folder, path: string, file: Entry, collected: Collection): void {
  const kind = kindOf(path)
  const place = { entry: file.name, line: null }
  if (kind === undefined) {
    collected.skipped({ place }, 'A Backlog.md folder has no such file.')
    return
  }
  const entry = withText(file, collected)
  if (entry === undefined) return
  if (kind === 'config') folder.config = entry
  else if (kind === 'docs') folder.docs.push({ path, entry })
  else {
    const document = readOrReport(entry, collected)
    if (document === null) return
    const isDecision = kind === 'decisions' && /^decision-\d/i.test(nameOf(path))
    if (document === undefined && isDecision) folder.decisions.push(documentWithoutHead(entry))
    else if (document === undefined) reportMissingHead(entry, collected)
    else if (kind === 'decisions') folder.decisions.push(document)
    else if (isMilestone(kind)) folder.milestones.push({ document, archived: kind.startsWith('archive/') })
    else folder.tasks.push(taskOf(document, kind))
  }
}

/** The document in a file; null if its front matter cannot be read, which skips only this file. */
function readOrReport(entry: TextEntry, collected: Collection): Document | undefined | null {
  try {
    return documentOf(entry)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    collected.notRead({ place: error }, error.message)
    return null
  }
}

/** Reports a file that is named like a task but has no front matter. */
function reportMissingHead({ name }: TextEntry, collected: Collection): void {
  const place = { entry: name, line: null }
  const reason = 'It has no head (---) with an id.'
  if (/^[A-Za-z]+-\d/.test(nameOf(name ?? ''))) collected.notRead({ place }, reason)
  else collected.skipped({ place }, reason)
}

const isMilestone = (kind: Kind): kind is 'milestones' | 'archive/milestones' => kind.endsWith('milestones')

const taskOf = (document: Document, folder: TaskFolder): Task => ({
  ...document,
  folder,
  title: document.fields.text('title') ?? stemOf(document.place.entry ?? document.id),
  parentId: document.fields.text('parent_task_id')?.trim() ?? null,
})

/** Reads the project's name and the prefix of its tasks; the other settings are kept. */
function configured(
  config: TextEntry | undefined,
  collected: Collection,
): { name: string | null; prefix: string | null } {
  if (config === undefined) return { name: null, prefix: null }
  const place = { entry: config.name, line: 1 }
  const fields = new Fields(settingsIn(config, place, collected))
  const name = fields.text('project_name') ?? fields.text('projectName')
  const prefix = fields.text('task_prefix') ?? fields.text('taskPrefix')
  const rest = Object.entries(fields.rest()).map(([field, value]) => [
    `${field} of ${nameOf(config.name ?? '')}`,
    value,
  ])
  collected.keepOfSource(Object.fromEntries(rest), place)
  return { name, prefix }
}

function settingsIn(
  config: TextEntry,
  place: SourcePlace & { line: number },
  collected: Collection,
): Readonly<Record<string, unknown>> {
  try {
    return yamlFields(config.text, place)?.values ?? {}
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    collected.notRead({ place: error }, error.message)
    return {}
  }
}

function* readTasks(folder: Folder, prefix: string | null, collected: Collection): InPieces<void> {
  const tasks = new Tasks(folder.tasks, prefix)
  const milestones = new Milestones(collected)
  for (const { document, archived } of folder.milestones) milestones.read(document, archived)
  const reader = new TaskReader(collected, tasks, milestones)
  const [parents, leaves] = [true, false].map(parent =>
    tasks.all.filter(task => tasks.childrenOf(task).length > 0 === parent),
  )
  for (const task of parents!) {
    reader.readParent(task)
    yield
  }
  for (const task of leaves!) {
    reader.readLeaf(task)
    yield
  }
  for (const task of tasks.all) reader.readLinks(task)
  addDefinitionOfDone(tasks.all, collected)
}

/** Adds one guideline with the tasks' definitions of done. */
function addDefinitionOfDone(tasks: readonly Task[], collected: Collection): void {
  const items = tasks.flatMap(({ place, sections }) =>
    checkList(sections.filter(section => headed(section, 'definition of done'))).map(({ text, line }) => ({
      text,
      place: { ...place, line },
    })),
  )
  const [first] = items
  if (first === undefined) return
  collected.add(
    guideline({
      id: 'guideline:Definition of done',
      place: first.place,
      title: 'Definition of done',
      content: distinct(items.map(({ text }) => text))
        .map(text => `- ${text}`)
        .join('\n'),
    }),
  )
}

/** Reads decisions and documents into one spec. */
function readDecisions({ decisions, docs }: Folder, collected: Collection): void {
  const place: SourcePlace | undefined = decisions[0]?.place ?? (docs[0] && { entry: docs[0].entry.name, line: 1 })
  if (place === undefined) return
  const { id: owner_id } = collected.ownSpec(projectSpec, place, {
    decisions: decisions.map(decision => decisionOf(decision, collected)),
  })
  for (const { path, entry } of docs) {
    const { fields, body } = contentOf(entry, collected)
    const id = fields.text('id')?.trim() ?? path
    const entryPlace = { entry: entry.name, line: 1 }
    const title = fields.text('title') ?? stemOf(path)
    const created_at = collected.moment(fields, 'created_date')
    const updated_at = collected.moment(fields, 'updated_date')
    const rest = Object.entries(fields.rest()).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    collected.add(
      knowledge({
        id: collected.freeId(id, { place: entryPlace, kind: 'knowledge' }),
        place: entryPlace,
        owner_type: 'spec',
        owner_id,
        title,
        content: [...rest, textOf(body)].join('\n\n'),
        mime_type: path.endsWith('.md') ? 'text/markdown' : 'text/plain',
        created_at,
        updated_at,
      }),
    )
  }
}

/** The fields and text of a file; if its front matter cannot be read, the whole file is text. */
function contentOf(entry: TextEntry, collected: Collection): { fields: Fields; body: Lines } {
  try {
    const { front, body } = frontMatter(entry)
    return { fields: new Fields(front?.values ?? {}), body }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    collected.note({ place: error, kind: 'knowledge' }, `${error.message} Its head is kept as text.`)
    return { fields: new Fields({}), body: { lines: entry.text.split('\n'), line: 1 } }
  }
}
