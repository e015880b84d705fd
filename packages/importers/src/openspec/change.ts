import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { linesOf } from '../markdown.ts'
import { momentOf } from '../moments.ts'
import type { Entry, NeutralIdeation, NeutralSpec } from '../neutral.ts'
import { ideation, joined, knowledge, spec } from '../records.ts'
import { addOrder } from '../task-lists/add-order.ts'
import { addTasks } from '../task-lists/add-tasks.ts'
import { type TaskList, taskListIn } from '../task-lists/task-list.ts'
import type { Change } from './folder.ts'
import { proposalIn } from './proposal.ts'
import { type SpecFile, specFileIn } from './requirements.ts'
import { testScenarios } from './scenarios.ts'
import { reportEmpty, reportStrayScenarios } from './unused-parts.ts'

/** The changes to a capability's spec. */
interface Delta {
  readonly capability: string
  readonly entry: Entry
  readonly file: SpecFile
}

/** Converts a change to an ideation, its spec, and cards for its tasks. */
export function* readChange(change: Change, collected: Collection): InPieces<void> {
  const { files, isArchived, name } = change
  const proposal = files.get('proposal.md')
  const place = { entry: (proposal ?? [...files.values()][0]!).name, line: 1 }
  const id = collected.freeId(`changes/${change.id}`, { place, kind: 'ideation' })
  for (const entry of files.values()) reportEmpty(entry, collected)
  const textOf = (entry: Entry | undefined): string => (entry === undefined ? '' : (collected.textOf(entry) ?? ''))
  const { title, ...fields } = proposalIn(linesOf(textOf(proposal)))
  const list = taskListIn(linesOf(textOf(files.get('tasks.md'))))
  const deltas = deltasIn(files, textOf)
  yield
  const shared = { place, title: title ?? name, archived: isArchived, created_at: createdAt(change, textOf) }
  collected.add(ideation({ ...shared, ...fields, id, status: ideationStatus(change, list) }))
  const record = spec({
    ...shared,
    id: `${id}/spec`,
    ideation_id: id,
    status: specStatus(list),
    description: joined(
      deltas.map(({ capability, file }) => file.description && `## ${capability}\n\n${file.description}`),
    ),
    functional_requirements: deltas.flatMap(({ capability, file }) =>
      file.requirements.map(({ operation, text }) => `${operation ?? 'CHANGED'} in ${capability}: ${text}`),
    ),
    test_scenarios: testScenarios(deltas.flatMap(({ file }) => file.requirements)),
  })
  collected.add(record)
  for (const { file, entry } of deltas) reportStrayScenarios(file, entry, collected)
  readTasks(change, list, record, collected)
  readOthers(change, list, record, collected)
}

const deltaPath = /^specs\/(?<capability>[^/].*)\/spec\.md$/

const deltasIn = (files: Change['files'], textOf: (entry: Entry) => string): Delta[] =>
  [...files].flatMap(([path, entry]) => {
    const capability = deltaPath.exec(path)?.groups?.capability
    return capability === undefined ? [] : [{ capability, entry, file: specFileIn(linesOf(textOf(entry))) }]
  })

/** The time in `.openspec.yaml`. */
function createdAt({ files }: Change, textOf: (entry: Entry | undefined) => string): string | null {
  const created = /^created(?:_at)?:[ \t]*["']?([^"'\n]+)/m.exec(textOf(files.get('.openspec.yaml')))
  return momentOf(created?.[1] ?? '')
}

const isBegun = ({ tasks }: TaskList): boolean => tasks.some(({ status }) => status !== 'not_started')

function ideationStatus({ isArchived, stage }: Change, list: TaskList): NeutralIdeation['status'] {
  if (isArchived) return 'done'
  return stage === 'approved' || (stage === null && isBegun(list)) ? 'approved' : 'draft'
}

function specStatus(list: TaskList): NeutralSpec['status'] {
  const isDone = list.tasks.length > 0 && list.tasks.every(({ status }) => status === 'done' || status === 'cancelled')
  return isDone ? 'done' : isBegun(list) ? 'in_progress' : 'draft'
}

function readTasks(
  { files, isArchived }: Change,
  list: TaskList,
  { id, created_at }: NeutralSpec,
  collected: Collection,
): void {
  const entry = files.get('tasks.md')?.name ?? null
  const ids = addTasks(
    { spec_id: id, list, entry, scenariosOf: () => [], shared: { archived: isArchived, created_at } },
    collected,
  )
  addOrder({ list, ids, entry, infers: false }, collected)
}

/** Adds all other files in the folder as knowledge of the spec. */
function readOthers({ files }: Change, list: TaskList, { id, created_at }: NeutralSpec, collected: Collection): void {
  const add = (path: string, entry: Entry, content: string): void =>
    collected.add(
      knowledge({
        id: `${id}/${path}`,
        place: { entry: entry.name, line: 1 },
        owner_type: 'spec',
        owner_id: id,
        title: path,
        content,
        created_at,
      }),
    )
  for (const [path, entry] of files) {
    if (path === 'tasks.md') {
      if (list.rest !== null) add(path, entry, list.rest)
    } else if (path !== 'proposal.md' && !deltaPath.test(path)) {
      const text = collected.textOf(entry)
      if (text !== null && text.trim() !== '') add(path, entry, text)
    }
  }
}
