/** Reads a Spec Kit project (exchange 2.4, imports 5). */
import { defaultBoardSettings, type InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { linesOf } from '../markdown.ts'
import type { Entry, ReadOptions } from '../neutral.ts'
import { guideline, knowledge, spec } from '../records.ts'
import { addOrder } from '../task-lists/add-order.ts'
import { addTasks } from '../task-lists/add-tasks.ts'
import { taskListIn } from '../task-lists/task-list.ts'
import type { Feature, Project } from './folder.ts'
import { specificationIn } from './specification.ts'

/** Reads a project. */
export function* readSpecKit(project: Project, collected: Collection, options: ReadOptions): InPieces<void> {
  const { features, constitution, others } = project
  collected.skipFiles(others, 'It belongs to no spec of the project.')
  const text = constitution === undefined ? null : collected.textOf(constitution)
  if (text !== null) addConstitution(constitution!.name, text, collected)
  for (const feature of features) {
    yield* readFeature(feature, options, collected)
    yield
  }
}

function addConstitution(entry: string | null, text: string, collected: Collection): void {
  const heading = linesOf(text).find(line => line.startsWith('# '))
  const title = heading?.slice(2).trim() || 'Constitution'
  collected.add(guideline({ id: 'constitution', place: { entry, line: 1 }, title, content: text }))
}

/** Converts one folder to a spec, its tasks to cards, and its other files to knowledge. */
function* readFeature({ name: folder, files }: Feature, options: ReadOptions, collected: Collection): InPieces<void> {
  const [specification, list] = [files.get('spec.md'), files.get('tasks.md')]
  const place = { entry: (specification ?? [...files.values()][0]!).name, line: 1 }
  const name = collected.freeId(folder, { place, kind: 'spec' })
  const max = options.max_scenarios_per_card ?? defaultBoardSettings.max_scenarios_per_card
  const textOf = (entry: Entry | undefined): string => (entry === undefined ? '' : (collected.textOf(entry) ?? ''))
  const { title, scenarios, unknownHeadings, ...content } = specificationIn(linesOf(textOf(specification)))
  yield
  const taskList = taskListIn(linesOf(textOf(list)))
  yield
  const byStory = Map.groupBy(scenarios, ({ story }) => story)
  const linkable = (story: string | null): readonly string[] =>
    story === null ? [] : (byStory.get(story) ?? []).slice(0, max).map(({ scenario }) => scenario.id)
  const ids = addTasks({ spec_id: name, list: taskList, entry: list?.name ?? null, scenariosOf: linkable }, collected)
  addOrder({ list: taskList, ids, entry: list?.name ?? null, infers: options.inferred_order !== false }, collected)
  const cardsOf = Map.groupBy(ids, ([{ story }]) => story)
  collected.add(
    spec({
      ...content,
      id: name,
      place,
      title: title ?? folder,
      status: 'in_progress',
      test_scenarios: scenarios.map(({ scenario, story }) => ({
        ...scenario,
        linked_task_ids: linkable(story).includes(scenario.id) ? (cardsOf.get(story) ?? []).map(([, id]) => id) : [],
      })),
    }),
  )
  if (unknownHeadings !== null)
    collected.notRead(
      { place: { ...place, line: unknownHeadings }, kind: 'spec', id: name },
      'No heading is from the template, and there are no requirements or scenarios in its form. The whole text is the description.',
    )
  for (const [story, { length }] of byStory)
    if (story !== null && length > max && cardsOf.has(story))
      collected.note(
        { place, kind: 'spec', id: name },
        `${story} has ${length} scenarios; its cards are linked to the first ${max}, as many as a board allows.`,
      )
  if (taskList.rest !== null)
    addKnowledge(name, 'tasks.md', { name: list?.name ?? null, text: taskList.rest }, collected)
  for (const [path, entry] of files)
    if (entry !== specification && entry !== list) {
      const text = collected.textOf(entry)
      if (text !== null) addKnowledge(name, path, { ...entry, text }, collected)
    }
}

const mimeTypes: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

function addKnowledge(
  feature: string,
  path: string,
  { name, text }: Entry & { text: string },
  collected: Collection,
): void {
  collected.add(
    knowledge({
      id: `${feature}/${path}`,
      place: { entry: name, line: 1 },
      owner_type: 'spec',
      owner_id: feature,
      title: path,
      content: text,
      mime_type: mimeTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain',
    }),
  )
}
