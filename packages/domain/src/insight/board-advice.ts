/** Advice on a board's settings of who approves (people 1.3). */
import type { BoardAdvice, Permission } from '@specboard/contract'
import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { type Member, membersOf } from '../kernel/access/holders.ts'
import { type ApprovalSetting, personal } from '../kernel/approval-settings.ts'
import { boardSettings, settingsOf } from '../kernel/board-settings.ts'
import type { Context } from '../kernel/context.ts'
import { BaseResolver } from '../kernel/service/authenticate.ts'
import { claimedForWork, movedForward, wroteConclusion } from '../planning/review/participants.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { sameBoard } from '../schema/same-board.ts'
import { membersOn } from './inbox/sources/keepers.ts'

type Advice = z.output<typeof BoardAdvice>

/** How long an action is taken into account, ms. */
const countsForMs = 7 * 24 * 3_600_000

/** How many of a board's newest entries are examined. */
const maxEntries = 2_000

/** The condition for a board's newest entries, in a table `events` under an alias. */
const isNewest = (entry: string) =>
  sql<SqlBool>`${sql.ref(`${entry}.seq`)} > (select coalesce(max(l.seq), 0) from events l
    where l.board_id = ${sql.ref(`${entry}.board_id`)}) - ${sql.lit(maxEntries)}`

const ownValidation = hot<{ board: string; since: string }, { found: number }>(
  (_, param) =>
    sql<{ found: number }>`select 1 as found from events v join agents a on a.id = v.actor_id
      where v.board_id = ${param('board')} and ${isNewest('v')}
        and v.action = 'validation_submitted' and v.created_at >= ${param('since')} and v.imported = 0
        and a.kind = 'agent' and exists (select 1 from events e where e.card_id = v.card_id and ${sameBoard('e', 'v')} and e.action is not null
          and e.actor_id = v.actor_id and e.imported = 0
          and (${claimedForWork} or ${movedForward} or ${wroteConclusion}))
      limit 1`,
)

const activeAgents = hot<{ board: string; since: string }, { count: number }>(
  (_, param) =>
    sql<{ count: number }>`select count(*) as count from agents a
      where a.kind = 'agent' and a.is_active = 1 and a.deleted_at is null
        and (a.last_used_at >= ${param('since')} or a.id in (select e.actor_id from events e
          where e.board_id = ${param('board')} and ${isNewest('e')} and e.created_at >= ${param('since')}))
        and a.id in (select owner_id from boards where id = ${param('board')}
          union select agent_id from grants where board_id = ${param('board')}
          union select user_id from shares where board_id = ${param('board')})`,
)

/** The permissions that a person needs to pass each gate. */
const passing: Readonly<Record<ApprovalSetting, readonly Permission[]>> = {
  approval_spec: ['SPECS_MOVE_APPROVED'],
  approval_spec_validation: ['SPECS_VALIDATE'],
  approval_card_validation: ['CARDS_VALIDATE', 'CARDS_WRITE_IN_VALIDATION'],
  approval_done: ['CARDS_MOVE_DONE', 'CARDS_WRITE_IN_VALIDATION'],
}

/** Whether one of at least two active agents has recently validated its own work (people 1.3). */
async function isReviewedByItself({ db, boardId: board }: Context, since: string): Promise<boolean> {
  const [active] = await activeAgents(db, { board, since })
  return active!.count >= 2 && (await ownValidation(db, { board, since })).length > 0
}

/** Whether a setting of the board requires a person, but no active person of the board may give the approval. */
async function lacksApprover(
  settings: readonly ApprovalSetting[],
  members: () => Promise<readonly Member[]>,
): Promise<boolean> {
  if (settings.length === 0) return false
  const persons = (await members()).filter(({ kind }) => kind === 'person')
  return settings.some(
    setting => !persons.some(({ access }) => passing[setting].every(permission => access.allows(permission))),
  )
}

/** The keys of boards where a setting requires a person but no active one may act. */
export async function unapprovedBoards(db: Db): Promise<string[]> {
  const boards = await db.selectFrom('boards').select(['id', 'key', 'settings']).orderBy('key').execute()
  const bases = new BaseResolver()
  const found: string[] = []
  for (const { id, key, settings } of boards)
    if (await lacksApprover(personal(settingsOf(settings)), () => membersOf(db, bases, id))) found.push(key)
  return found
}

/** The `advice` of get_board_overview. */
export async function adviceOn(ctx: Context): Promise<Advice[]> {
  const settings = await boardSettings(ctx.db, ctx.boardId)
  const since = new Date(Date.parse(ctx.now()) - countsForMs).toISOString()
  const isSeparate = settings.require_separate_reviewer || settings.approval_card_validation !== 'anyone'
  const advice: Advice[] = []
  if (!isSeparate && (await isReviewedByItself(ctx, since))) advice.push('separate_review_off')
  if (await lacksApprover(personal(settings), () => membersOn(ctx, ctx.boardId))) advice.push('nobody_approves')
  return advice
}
