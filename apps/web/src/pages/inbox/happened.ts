import type { BoardEvent } from '../../data/stream.ts'

/** The counted kinds of event on a board. */
export type Sum = 'done' | 'verdicts' | 'answers' | 'questions' | 'closed' | 'refused'

const answers = /question_answered$/
const questions = /question_added$/
const verdicts = /(?:validation|evaluation)_submitted$/

/** The kind that an event counts as; undefined if it only counts towards the total. */
function sumOf({ action, entity_type, details }: BoardEvent): Sum | undefined {
  const to = details?.to_status
  if (entity_type === 'card' && action === 'card_moved' && to === 'done') return 'done'
  if (entity_type === 'sprint' && to === 'closed') return 'closed'
  if (action === 'automation_refused' || action === 'card_rework') return 'refused'
  if (verdicts.test(action)) return 'verdicts'
  if (answers.test(action)) return 'answers'
  return questions.test(action) ? 'questions' : undefined
}

/** Counts what others did; a record counts once for each kind. */
export function activityCounts(
  events: readonly BoardEvent[],
  me: string,
): { readonly all: number; readonly sums: ReadonlyMap<Sum, number> } {
  const others = events.filter(({ actor_id, imported }) => actor_id !== me && imported !== true)
  const found = new Map<Sum, Set<string>>()
  for (const event of others) {
    const sum = sumOf(event)
    if (sum === undefined) continue
    const isOnce = sum === 'done' || sum === 'closed'
    found.set(sum, (found.get(sum) ?? new Set()).add(isOnce ? event.entity_id : event.id))
  }
  return { all: others.length, sums: new Map([...found].map(([sum, ids]) => [sum, ids.size])) }
}
