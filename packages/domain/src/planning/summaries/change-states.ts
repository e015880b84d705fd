/** The state of the changes of cards (git 9). */
import type { CardChangeState, ChangeCounts } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'

/** The state of the changes of a card. */
export type ChangeState = z.output<typeof CardChangeState>

/** The condition for a card `c` that has a linked change `h` of some kind. */
const hasChange = (which: RawBuilder<unknown>) =>
  sql`exists (select 1 from change_links l join changes h on h.id = l.change_id and ${sameBoard('h', 'l')}
    where l.entity_id = c.id and ${sameBoard('l', 'c')} and l.is_undone = 0 and ${which})`

const isRequest = sql`h.kind = 'pull_request'`
const isDraft = dialect.jsonFlag(sql.ref<string>('h.content'), 'draft')
const isReplaced = sql`${dialect.jsonText(sql.ref<string>('h.content'), 'rewritten_as')} is not null`

/** The state of the changes of a card `c`: from its pull requests, otherwise from its branches and commits. */
export const changeState: RawBuilder<ChangeState> = sql<ChangeState>`case
  when not exists (select 1 from change_links l where l.entity_id = c.id and ${sameBoard('l', 'c')} and l.is_undone = 0) then 'none'
  when ${hasChange(sql`${isRequest} and h.state = 'open' and not ${isDraft}`)} then 'open'
  when ${hasChange(sql`${isRequest} and h.state = 'open'`)} then 'draft'
  when ${hasChange(sql`${isRequest} and h.state = 'merged'`)} then 'merged'
  when ${hasChange(isRequest)} then 'closed'
  when ${hasChange(sql`h.state = 'open' and not (${isReplaced})`)} then 'branch'
  when ${hasChange(sql`h.state = 'merged'`)} then 'merged'
  else 'none' end`

const statesIn = (parent: 'spec' | 'sprint') =>
  hot<OnBoard, { state: ChangeState }>(
    (_, param) => sql<{ state: ChangeState }>`select ${changeState} as state from cards c
      where ${sql.ref(`c.${parent}_id`)} = ${param('id')} and ${onBoard('c', param('board_id'))} and c.archived = 0`,
  )

const states = { spec: statesIn('spec'), sprint: statesIn('sprint') }

/**
 * The number of cards of a spec or sprint with changes in each state; null if no card has changes, or if the caller may
 * not read them.
 */
export async function changeCounts(
  db: Db,
  access: Access,
  parent: keyof typeof states,
  record: OnBoard,
): Promise<z.output<typeof ChangeCounts> | null> {
  if (!access.allows('CARDS_READ') || !access.allows('CHANGES_READ')) return null
  const counts = { none: 0, branch: 0, draft: 0, open: 0, merged: 0, closed: 0 }
  for (const { state } of await states[parent](db, record)) counts[state]++
  const { none: _, ...changed } = counts
  return Object.values(changed).some(count => count > 0) ? counts : null
}
