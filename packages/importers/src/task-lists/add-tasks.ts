import type { Collection } from '../collected.ts'
import { identities, repeatedId } from '../identity.ts'
import type { NeutralCard } from '../neutral.ts'
import { card } from '../records.ts'
import type { ListedTask, TaskList } from './task-list.ts'

/** Maximum number of characters of a title that is used as an id. */
const maxNameLength = 100

interface Tasks {
  readonly spec_id: string
  readonly list: TaskList
  readonly entry: string | null
  readonly scenariosOf: (story: string | null) => readonly string[]
  /** The common fields of all cards. */
  readonly shared?: Partial<Pick<NeutralCard, 'archived' | 'created_at'>>
}

/** Adds the tasks of a spec as cards. @returns the external id of each */
export function addTasks(
  { spec_id, list, entry, scenariosOf, shared }: Tasks,
  collected: Collection,
): Map<ListedTask, string> {
  for (const line of list.empty) collected.notRead({ place: { entry, line } }, 'A box without a text.')
  const claims = list.tasks.map(({ id, title, phase }) => ({
    id: `${spec_id}/${id ?? (title.length > maxNameLength ? repeatedId({ id: '', title }) : title)}`,
    title,
    folder: phase,
  }))
  const names = identities(claims)
  const ids = new Map<ListedTask, string>()
  for (const [at, task] of list.tasks.entries()) {
    const { id, line, title, story, description, phase, within, status, statusWord } = task
    const place = { entry, line }
    const about = { place, kind: 'card' as const }
    const own = collected.freeId(names[at]!, about)
    if (id !== null && own !== claims[at]!.id)
      collected.changed({ ...about, id: own }, `The id ${id} is used more than once; this one is read as ${own}.`)
    ids.set(task, own)
    collected.add(
      card({
        ...shared,
        id: own,
        place,
        spec_id,
        title,
        status: status ?? collected.words.status(statusWord, place),
        description,
        details: phase,
        labels: [id, story, within === null ? null : `sub:${within.id ?? within.title}`].filter(
          label => label !== null,
        ),
        test_scenario_ids: scenariosOf(story),
      }),
    )
  }
  return ids
}
