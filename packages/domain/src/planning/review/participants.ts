import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import { forwardMoves } from './card-ranks.ts'
import type { Participation } from './rules.ts'

const details = (member: string) => dialect.jsonText(sql.ref<string | null>('e.details'), member)

const isForward = sql.join(
  forwardMoves.map(
    ([from, to]) => sql`${details('from_status')} = ${sql.lit(from)} and ${details('to_status')} = ${sql.lit(to)}`,
  ),
  sql` or `,
)

const domainEvents = dialect.jsonElements(sql.ref<string | null>('e.domain'))
const domain = (member: string) => dialect.jsonText(sql.ref<string | null>('d.value'), member)

/** A move made automatically by a task validation. */
const byValidation = sql`exists (select 1 from ${domainEvents} d where ${domain('validation_id')} is not null)`

/** An entry `e` by which an agent claimed a card to work on it. */
export const claimedForWork = sql`(e.action = 'card_claimed' and ${details('stage')} = 'work')`

/** An entry `e` that no automation made: the actions of automations make nobody a participant (git 7). */
const bySomebody = sql`coalesce(e.actor_via, '') <> 'service'`

/** An entry `e` by which an agent moved a card forward itself. */
export const movedForward = sql`(e.action = 'card_moved' and (${isForward}) and ${bySomebody} and not ${byValidation})`

/** An entry `e` with a report that an agent wrote itself, not the one that a task validation adds. */
export const wroteConclusion = sql`(${bySomebody} and exists (select 1 from ${domainEvents} d
  where ${domain('name')} = 'card.conclusion_added' and ${domain('source')} <> 'task_validation'))`

/**
 * The sequence number of the last entry by which the card of the entry `e` came back to `not_started`. Imported entries
 * are not work, and never decide where work began (walls 5).
 */
const startSeq = sql`coalesce((select max(s.seq) from events s
  where s.card_id = e.card_id and ${sameBoard('s', 'e')} and s.imported = 0 and s.action = 'card_moved'
    and ${dialect.jsonText(sql.ref<string | null>('s.details'), 'to_status')} = 'not_started'
    and ${dialect.jsonText(sql.ref<string | null>('s.details'), 'from_status')} <> 'not_started'), 0)`

/**
 * Who took part in the work of cards since each was last in `not_started`, and how (work 4), as a table of `agent_id`
 * and `role`. Every rule of separate review about cards reads it.
 * @param cards a select of the cards' ids; it may reference a column of the enclosing query
 * @param board their board
 */
export function workOn(cards: RawBuilder<unknown>, board: RawBuilder<string>): RawBuilder<Participation> {
  const entries = sql`events e where e.card_id in (${cards}) and ${onBoard('e', board)} and e.action is not null
    and e.imported = 0 and e.seq > ${startSeq}`
  return sql<Participation>`(
    select e.actor_id as agent_id, 'claimed' as role from ${entries}
      and ${claimedForWork}
    union select e.actor_id, 'moved' from ${entries}
      and ${movedForward}
    union select e.actor_id, 'concluded' from ${entries} and ${wroteConclusion}
    union select agents.id, 'assigned' from cards join agents on agents.id = cards.assignee_id
      where cards.id in (${cards}) and ${onBoard('cards', board)}
  )`
}

const onCard = hot<OnBoard, Participation>(
  (_, param) => sql<Participation>`select agent_id, role
    from ${workOn(sql`select ${param('id')}`, sql`${param('board_id')}`)} work`,
)

const onSprint = hot<OnBoard, Participation>((_, param) => {
  const cards = sql`select k.id from cards k where k.sprint_id = ${param('id')} and ${onBoard('k', param('board_id'))}`
  return sql<Participation>`select agent_id, role from ${workOn(cards, sql`${param('board_id')}`)} work`
})

/** Who took part in the work of a card (work 4). */
export const workersOnCard = (db: Db, card: OnBoard): Promise<Participation[]> => onCard(db, card)

/** Who took part in the work of the cards of a sprint (work 4). */
export const workersOnSprint = (db: Db, sprint: OnBoard): Promise<Participation[]> => onSprint(db, sprint)

/** Who created a spec, or changed its content since it last entered a status. */
const sinceStatus = (status: 'approved' | 'review') =>
  hot<OnBoard, Participation>(
    (_, param) =>
      sql<Participation>`select created_by as agent_id, 'created' as role from specs where id = ${param('id')}
      union select actor_id, 'changed' from (
        select seq, imported, actor_id, history_action, version - lag(version) over (order by seq) as raised from events
        where entity_type = 'spec' and entity_id = ${param('id')} and ${onBoard('events', param('board_id'))}
          and history_action is not null
      ) history
      where history_action = 'updated' and raised > 0 and imported = 0 and seq > coalesce((
        select max(e.seq) from events e
        where e.entity_type = 'spec' and e.entity_id = ${param('id')} and ${onBoard('e', param('board_id'))}
          and e.history_action = 'status_changed' and e.imported = 0
          and exists (select 1 from ${dialect.jsonElements(sql.ref<string | null>('e.changes'))} c
            where ${dialect.jsonText(sql.ref<string | null>('c.value'), 'new')} = ${sql.lit(status)})), 0)`,
  )

const sinceApproved = sinceStatus('approved')

const sinceReview = sinceStatus('review')

/** Who created a spec, or changed its content since it was last approved (work 4). */
export const writersOfSpec = (db: Db, spec: OnBoard): Promise<Participation[]> => sinceApproved(db, spec)

/** Who created a spec, or changed its content since it last entered `review` (people 1.3). */
export const writersSinceReview = (db: Db, spec: OnBoard): Promise<Participation[]> => sinceReview(db, spec)
