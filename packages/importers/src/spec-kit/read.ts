/** Reads a Spec Kit project (exchange 2.4). */
import { defaultBoardSettings } from '@specboard/contract'
import { Collected } from '../collected.ts'
import { stemOf } from '../files.ts'
import { linesOf } from '../markdown.ts'
import type { Entry, Reader } from '../neutral.ts'
import { card, guideline, knowledge, spec } from '../records.ts'
import { type Feature, projectIn } from './folder.ts'
import { specificationIn } from './specification.ts'
import { type ListedTask, taskListIn } from './task-list.ts'

export const readSpecKit: Reader = function* (source, options) {
  const collected = new Collected()
  const { features, constitution, others } = projectIn(source)!
  for (const { name } of others)
    collected.skipped({ place: { entry: name, line: null } }, 'It belongs to no spec of the project.')
  if (constitution?.text != null) addConstitution(constitution.name, constitution.text, collected)
  else if (constitution !== undefined)
    collected.skipped({ place: { entry: constitution.name, line: null } }, 'It is not text.')
  const most = options.max_scenarios_per_card ?? defaultBoardSettings.max_scenarios_per_card
  for (const feature of features) {
    readFeature(feature, most, collected)
    yield
  }
  return yield* collected.finish(options.name ?? (source.filename && stemOf(source.filename)) ?? 'Spec Kit')
}

function addConstitution(entry: string | null, text: string, collected: Collected): void {
  const heading = linesOf(text).find(line => line.startsWith('# '))
  const title = heading?.slice(2).trim() || 'Constitution'
  collected.add(guideline({ id: 'constitution', place: { entry, line: 1 }, title, content: text }))
}

/** One folder as a spec, its tasks as cards, its other files as knowledge. */
function readFeature({ name, files }: Feature, most: number, collected: Collected): void {
  const [specification, list] = [files.get('spec.md'), files.get('tasks.md')]
  const place = { entry: (specification ?? [...files.values()][0]!).name, line: 1 }
  const { title, scenarios, ...content } = specificationIn(linesOf(specification?.text ?? ''))
  const { tasks, rest } = taskListIn(linesOf(list?.text ?? ''))
  const byStory = Map.groupBy(scenarios, ({ story }) => story)
  const linkable = (story: string | null): readonly string[] =>
    (byStory.get(story ?? '') ?? []).slice(0, most).map(({ scenario }) => scenario.id)
  const cards = addCards(name, tasks, list?.name ?? null, linkable, collected)
  collected.add(
    spec({
      ...content,
      id: name,
      place,
      title: title ?? name,
      status: 'in_progress',
      test_scenarios: scenarios.map(({ scenario, story }) => ({
        ...scenario,
        linked_task_ids: linkable(story).includes(scenario.id) ? (cards.get(story) ?? []) : [],
      })),
    }),
  )
  for (const [story, { length }] of byStory)
    if (length > most && cards.has(story))
      collected.note(
        { place, kind: 'spec', id: name },
        `${story} has ${length} scenarios; its cards are linked to the first ${most}, as many as a board allows.`,
      )
  if (rest !== null) addKnowledge(name, 'tasks.md', { name: list?.name ?? null, text: rest }, collected)
  for (const [path, entry] of files)
    if (entry.text === null) collected.skipped({ place: { entry: entry.name, line: null } }, 'It is not text.')
    else if (entry !== specification && entry !== list)
      addKnowledge(name, path, { ...entry, text: entry.text }, collected)
}

/**
 * Adds the tasks of a spec as cards. One that is not parallel waits for the one before it in its phase.
 * @returns the ids of the cards of each story
 */
function addCards(
  spec_id: string,
  tasks: readonly ListedTask[],
  entry: string | null,
  scenariosOf: (story: string | null) => readonly string[],
  collected: Collected,
): Map<string, string[]> {
  const ids = new Map<ListedTask, string>()
  for (const task of tasks) {
    const place = { entry, line: task.line }
    const id = collected.freeId(`${spec_id}/${task.id}`, { place, kind: 'card' })
    ids.set(task, id)
    collected.add(
      card({
        id,
        place,
        spec_id,
        title: task.title,
        status: task.done ? 'done' : 'not_started',
        description: task.description,
        details: task.phase,
        labels: [task.id, ...(task.story === null ? [] : [task.story])],
        test_scenario_ids: scenariosOf(task.story),
      }),
    )
    const before = task.before && ids.get(task.before)
    if (before !== undefined && !task.parallel)
      collected.link({ card_id: id, depends_on_id: before, place, created_at: null })
  }
  const byStory = Map.groupBy(ids, ([{ story }]) => story ?? '')
  return new Map([...byStory].map(([story, cards]) => [story, cards.map(([, id]) => id)]))
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
  collected: Collected,
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
