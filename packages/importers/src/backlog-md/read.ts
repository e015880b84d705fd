/** Reads a Backlog.md folder (exchange 2.1). */
import type { InPieces } from '@specboard/contract'
import { Collected } from '../collected.ts'
import { Fields } from '../fields.ts'
import { boardNameOf, stemOf } from '../files.ts'
import { frontMatter, linesOf, textOf } from '../markdown.ts'
import type { Entry, Place, Reader } from '../neutral.ts'
import { distinct, guideline, knowledge } from '../records.ts'
import { yamlFields } from '../yaml.ts'
import { decisionOf } from './decisions.ts'
import { checkList, type Document, documentOf, headed } from './document.ts'
import { backlogFiles, type Kind, kindOf, type TaskFolder } from './folder.ts'
import { Milestones } from './milestones.ts'
import { TaskReader } from './task-reader.ts'
import { type Task, Tasks } from './tasks.ts'

/** A file that is text. */
type TextEntry = Entry & { readonly text: string }

/** What the folder holds, by kind. */
interface Folder {
  readonly tasks: Task[]
  readonly milestones: { readonly document: Document; readonly archived: boolean }[]
  readonly decisions: Document[]
  readonly docs: { readonly path: string; readonly entry: TextEntry }[]
  config: TextEntry | undefined
}

/** The spec for decisions and documents. */
const projectSpec = 'Project decisions'

export const readBacklog: Reader = function* (source, options) {
  const collected = new Collected()
  const { inside, beside } = backlogFiles(source) ?? { inside: [], beside: source.entries }
  collected.skipFiles(beside, 'It is beside the folder.')
  const folder: Folder = { tasks: [], milestones: [], decisions: [], docs: [], config: undefined }
  for (const { path, entry } of inside) {
    sortIn(folder, path, entry, collected)
    yield
  }
  const projectName = configured(folder, collected)
  yield* readTasks(folder, collected)
  readDecisions(folder, collected)
  return yield* collected.finish(options.name ?? projectName ?? boardNameOf(source, options, 'Backlog'))
}

function sortIn(folder: Folder, path: string, entry: Entry, collected: Collected): void {
  const kind = kindOf(path)
  const place = { entry: entry.name, line: null }
  if (kind === undefined) collected.skipped({ place }, 'A Backlog.md folder has no such file.')
  else if (!isText(entry)) collected.skipped({ place }, 'It is not text.')
  else if (kind === 'config') folder.config = entry
  else if (kind === 'docs') folder.docs.push({ path, entry })
  else {
    const document = documentOf(entry)
    if (document === undefined) collected.skipped({ place }, 'It has no front matter with an id.')
    else if (kind === 'decisions') folder.decisions.push(document)
    else if (isMilestone(kind)) folder.milestones.push({ document, archived: kind.startsWith('archive/') })
    else folder.tasks.push(taskOf(document, kind))
  }
}

const isText = (entry: Entry): entry is TextEntry => entry.text !== null

const isMilestone = (kind: Kind): kind is 'milestones' | 'archive/milestones' => kind.endsWith('milestones')

const taskOf = (document: Document, folder: TaskFolder): Task => ({
  ...document,
  folder,
  title: document.fields.text('title') ?? stemOf(document.place.entry ?? document.id),
  parentId: document.fields.text('parent_task_id')?.trim() ?? null,
})

/** The project's name; the other settings are kept. */
function configured({ config }: Folder, collected: Collected): string | null {
  if (config === undefined) return null
  const place = { entry: config.name, line: 1 }
  const fields = new Fields(yamlFields(linesOf(config.text).join('\n'), place)?.values ?? {})
  const name = fields.text('project_name')
  const rest = Object.entries(fields.rest()).map(([field, value]) => [`${field} of config.yml`, value])
  collected.keepOfSource(Object.fromEntries(rest), place)
  return name
}

function* readTasks(folder: Folder, collected: Collected): InPieces<void> {
  const tasks = new Tasks(folder.tasks)
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

/** One guideline with what the tasks say of being done. */
function addDefinitionOfDone(tasks: readonly Task[], collected: Collected): void {
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

/** Decisions and documents, which are one spec's. */
function readDecisions({ decisions, docs }: Folder, collected: Collected): void {
  const place: Place | undefined = decisions[0]?.place ?? (docs[0] && { entry: docs[0].entry.name, line: 1 })
  if (place === undefined) return
  const { id: owner_id } = collected.ownSpec(projectSpec, place, {
    decisions: decisions.map(decision => decisionOf(decision, collected)),
  })
  for (const { path, entry } of docs) {
    const { front, body } = frontMatter(entry)
    const fields = new Fields(front?.values ?? {})
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
