import type { Collection } from '../collected.ts'
import { waitsOf } from './order.ts'
import type { ListedTask, TaskList } from './task-list.ts'

interface Tasks {
  readonly list: TaskList
  readonly ids: ReadonlyMap<ListedTask, string>
  readonly entry: string | null
  readonly infers: boolean
}

/** Adds the dependencies of tasks, and reports which of them were inferred (imports 5). */
export function addOrder({ list, ids, entry, infers }: Tasks, collected: Collection): void {
  const waits = waitsOf(list, infers)
  for (const { task, on, isInferred } of waits) {
    const place = { entry, line: task.line }
    const card_id = ids.get(task)!
    if ('fits' in on)
      collected.skipped(
        { place, kind: 'dependency', id: `${card_id}>${on.name}` },
        on.fits.length === 0
          ? `A link to ${on.name}, which is not here.`
          : `A link to ${on.name}, which can be the task of line ${on.fits.map(({ line }) => line).join(' or ')}.`,
      )
    else {
      collected.link({ card_id, depends_on_id: ids.get(on)!, place, created_at: null })
      if (isInferred) collected.infer('which task waits for which, from the order of the list')
    }
  }
  const inferred = waits.filter(({ isInferred }) => isInferred).length
  if (inferred > 0)
    collected.note(
      { place: { entry, line: null } },
      `${inferred} times it was inferred from the order of tasks and phases that a task waits for another. ` +
        'To turn this off: inferred_order=false (--no-inferred-order on the command line).',
    )
}
