/** Which cards an agent may carry on: from where they stand to `validation` or `done` (crew 4.2). */
import { sql } from 'kysely'
import type { Access } from '../../kernel/access/access.ts'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { mayCall } from '../../kernel/service/may-call.ts'
import { findStandingSpec } from '../../planning/specs/find-standing.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { Status } from '../card-record/record.ts'
import type { Filtered } from '../cards/list/filters.ts'

type CardEnds = Pick<Filtered, 'card_type' | 'spec_id' | 'sprint_id'>

/** What of a board decides where its cards end. */
interface Ends {
  readonly settings: Settings
  readonly standing: string | undefined
  /** Sprints and specs that ask for validations in place of their board, or for none. */
  readonly overrides: ReadonlyMap<string, boolean>
}

const overriding = hot<{ board: string }, { id: string; required: Flag }>(
  (_, param) =>
    sql<{ id: string; required: Flag }>`select id, require_task_validation as required from specs
        where board_id = ${param('board')} and require_task_validation is not null
      union all
      select id, require_task_validation from sprints
        where board_id = ${param('board')} and require_task_validation is not null`,
)

const readEnds = async (db: Db, boardId: string): Promise<Ends> => ({
  settings: await boardSettings(db, boardId),
  standing: await findStandingSpec({ db, boardId }),
  overrides: new Map((await overriding(db, { board: boardId })).map(({ id, required }) => [id, required === 1])),
})

const mayMove = (access: Access, status: Status, target_status: Status): boolean =>
  mayCall(access, { operation: 'move_card', status, body: { target_status } })

/** Whether somebody may finish a card without a verdict of somebody else. */
function mayFinish(access: Access, { settings, standing, overrides }: Ends, card: CardEnds): boolean {
  if (settings.approval_done === 'person') return false
  if (card.card_type === 'test') return access.allows('CARDS_MOVE_DONE_TEST')
  const required =
    overrides.get(card.sprint_id ?? '') ?? overrides.get(card.spec_id ?? '') ?? settings.require_task_validation
  if (required || settings.require_separate_reviewer || settings.approval_done !== 'anyone') return false
  const isSmall = standing !== undefined && card.spec_id === standing
  return access.allows(isSmall ? 'CARDS_MOVE_DONE_SMALL' : 'CARDS_MOVE_DONE')
}

/** A status that cards are taken up in. */
type TakenIn = Extract<Status, 'not_started' | 'started' | 'in_progress'>

/** A test of cards; undefined where all pass. */
type Test = ((card: CardEnds) => boolean) | undefined

/** Which cards somebody may carry on, by status. */
export type Carried = Readonly<Record<TakenIn, Test>>

/**
 * Tells by status which cards of a board somebody may carry on: start them where they are not begun, and bring them to
 * `validation`, or to `done` where that needs no verdict of others. Who takes no cards at all only looks: all pass.
 */
export async function carriedBy(db: Db, access: Access): Promise<Carried> {
  if (!access.allows('CARDS_CLAIM')) return { not_started: undefined, started: undefined, in_progress: undefined }
  const started = await fromBegun(db, access, 'started')
  const in_progress = await fromBegun(db, access, 'in_progress')
  return { not_started: mayMove(access, 'not_started', 'started') ? started : none, started, in_progress }
}

const none = () => false

async function fromBegun(db: Db, access: Access, status: 'started' | 'in_progress'): Promise<Test> {
  if (mayMove(access, status, 'validation')) return undefined
  if (!access.allows(status === 'started' ? 'CARDS_WRITE_IN_STARTED' : 'CARDS_WRITE_IN_IN_PROGRESS')) return none
  const ends = await readEnds(db, access.way!.boardId)
  return card => mayFinish(access, ends, card)
}
