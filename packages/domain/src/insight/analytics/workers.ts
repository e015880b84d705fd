/**
 * Who worked on cards, whoever created them: the figures of the agents' ranking that are counted from the event log
 * (B.3).
 */

import { type RawBuilder, sql } from 'kysely'
import { claimedForWork, movedForward, wroteConclusion } from '../../planning/review/participants.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { cycleOf } from './cards.ts'
import { isDoneHere, isSubmitted } from './imported.ts'
import { mean, percent } from './measures.ts'
import { type Placeholder, reader, within } from './population.ts'

/** An agent's role in the work on a card, as in separate review (work 4). */
export interface Part {
  readonly agent_id: string
  readonly card_id: string
  readonly role: 'claimed' | 'moved' | 'concluded'
}

/** The fields of a worked-on card that the figures need. */
export interface WorkedCard {
  readonly id: string
  readonly created_at: string
  /** When it was done; null unless it was done here (B.1). */
  readonly completed_at: string | null
  /** Whether it has a validation made here, and whether one of them failed. */
  readonly judged: number
  readonly failed: number
}

/** The figures of an agent that worked on cards. */
export function workedFigures(parts: readonly Part[], cards: ReadonlyMap<string, WorkedCard>) {
  const of = (role?: Part['role']) =>
    new Set(parts.filter(part => role === undefined || part.role === role).map(part => part.card_id))
  const worked = [...of()].map(id => cards.get(id)!)
  const judged = worked.filter(card => card.judged > 0)
  const done = worked.filter(card => card.completed_at !== null)
  return {
    worked_cards: worked.length,
    claimed_cards: of('claimed').size,
    moved_cards: of('moved').size,
    concluded_cards: of('concluded').size,
    worked_done_cards: done.length,
    rework_rate: percent(judged.filter(card => card.failed > 0).length, judged.length),
    cycle_hours: mean(done.map(cycleOf)),
  }
}

const partsBy = (role: Part['role'], condition: RawBuilder<unknown>, column: string, param: Placeholder) =>
  sql`select e.actor_id as agent_id, e.card_id, ${sql.lit(role)} as role
    from cards c join events e on e.card_id = c.id and ${sameBoard('e', 'c')} and e.action is not null
    where ${within('c', column, param)} and e.imported = 0 and ${condition}`

/** All roles in the work on the cards; repeated ones are listed repeatedly. */
export const readParts = reader(
  ['board_id'],
  (column, param) => sql<Part>`${partsBy('claimed', claimedForWork, column, param)}
    union all ${partsBy('moved', movedForward, column, param)}
    union all ${partsBy('concluded', wroteConclusion, column, param)}`,
)

const judging = (condition = sql`1 = 1`) =>
  sql<number>`exists (select 1 from task_validations v where v.card_id = c.id and ${sameBoard('v', 'c')} and ${isSubmitted('v')} and ${condition})`

/** The cards that somebody may have worked on. */
export const readWorkedCards = reader(
  ['board_id'],
  (column, param) => sql<WorkedCard>`select c.id, c.created_at,
      case when ${isDoneHere('c')} then c.moved_at end as completed_at,
      ${judging()} as judged, ${judging(sql`v.outcome = ${sql.lit('failed')}`)} as failed
    from cards c where ${within('c', column, param)}`,
)
