import type { PrincipalKind } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Flag } from '../../schema/columns.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { PrincipalKind as Kind } from '../../schema/tables.ts'
import { reader, within } from './population.ts'

/** An action by a principal of some kind, and whether it was a present person. */
export interface KindOfActor {
  readonly actor_type: Kind
  readonly present: Flag
}

/** How often each kind of principal performed an action, and how often a present person did (people 1.1). */
export const byKind = (deeds: readonly KindOfActor[]) => {
  const counts = { person: 0, agent: 0, ci: 0, service: 0 } satisfies Record<
    (typeof PrincipalKind.options)[number],
    number
  >
  for (const { actor_type } of deeds) counts[actor_type]++
  return { ...counts, present: deeds.filter(({ present }) => present === 1).length }
}

const details = sql.ref<string>('e.details')

/** The moves of cards to `done`, without imported ones. */
export const readMovesToDone = reader(
  ['board_id'],
  (column, param) => sql<KindOfActor>`select e.actor_type,
      case when ${dialect.jsonFlag(details, 'present')} then 1 else 0 end as present
    from cards c join events e on e.card_id = c.id and ${sameBoard('e', 'c')}
    where ${within('c', column, param)} and e.action = 'card_moved' and e.imported = 0
      and ${dialect.jsonText(details, 'to_status')} = 'done'
      and ${dialect.jsonText(details, 'from_status')} <> 'done'`,
)
