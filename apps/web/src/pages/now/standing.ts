import type { InboxItem } from '../../data/inbox.ts'
import type { PlacedWorker, Worker } from '../../data/workers.ts'

/** The condition of a worker. */
export type WorkerCondition = 'silent' | 'asks' | 'refused' | 'working' | 'waiting' | 'idle' | 'ended'

/** The groups on the page, in order. */
export const groups = ['stuck', 'working', 'idle', 'ended'] as const
export type Group = (typeof groups)[number]

const groupOf: Readonly<Record<WorkerCondition, Group>> = {
  silent: 'stuck',
  asks: 'stuck',
  refused: 'stuck',
  working: 'working',
  waiting: 'idle',
  idle: 'idle',
  ended: 'ended',
}

/** The minimum number of refusals in an hour for a worker to count as repeating the same mistake. */
const manyRefusals = 10

export interface StandingWorker extends PlacedWorker {
  readonly standing: WorkerCondition
  readonly group: Group
  /** The question on a claimed card that waits for the person. */
  readonly question: InboxItem | undefined
}

function conditionOf({ state, cards, refusals }: Worker, isAsking: boolean): WorkerCondition {
  if (state === 'ended') return 'ended'
  if (cards.length > 0 && state === 'quiet') return 'silent'
  if (isAsking) return 'asks'
  if (refusals !== null && refusals.last_hour >= manyRefusals) return 'refused'
  if (state === 'waiting') return 'waiting'
  return cards.length > 0 ? 'working' : 'idle'
}

/** The condition of each worker, the longest silent first. */
export function conditionsOf(
  workers: readonly PlacedWorker[],
  inbox: readonly InboxItem[],
): ReadonlyMap<Group, readonly StandingWorker[]> {
  const questions = new Map(
    inbox.flatMap(item =>
      (item.kind === 'question' || item.kind === 'choice_comment') && item.record.ref !== null
        ? [[item.record.ref, item] as const]
        : [],
    ),
  )
  const all = workers.map(({ board, worker }): StandingWorker => {
    const question = worker.cards.map(({ ref }) => questions.get(ref)).find(item => item !== undefined)
    const standing = conditionOf(worker, question !== undefined)
    return { board, worker, standing, group: groupOf[standing], question }
  })
  const urgency: readonly WorkerCondition[] = ['silent', 'asks', 'refused']
  all.sort(
    (a, b) =>
      urgency.indexOf(a.standing) - urgency.indexOf(b.standing) ||
      (a.standing === 'silent' ? 1 : -1) * (a.worker.last_seen_at ?? '').localeCompare(b.worker.last_seen_at ?? ''),
  )
  return Map.groupBy(all, ({ group }) => group)
}
