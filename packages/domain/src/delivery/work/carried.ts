/** Which cards an agent may carry on: from their status to `validation` or `done` (crew 4.2). */
import { sql } from 'kysely'
import type { Access } from '../../kernel/access/access.ts'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { mayCall } from '../../kernel/service/may-call.ts'
import { findStandingSpec } from '../../planning/specs/find-standing.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { Status } from '../card-record/record.ts'
import type { FilterColumns } from '../cards/list/filters.ts'

type CardEnds = Pick<FilterColumns, 'card_type' | 'spec_id' | 'sprint_id'>

/** The facts about a board that decide where its cards end. */
interface Ends {
  readonly settings: Settings
  readonly standing: string | undefined
  /** Specs that require validations although their board does not, or the other way round. */
  readonly overrides: ReadonlyMap<string, boolean>
}

const overriding = hot<{ board: string }, { id: string; required: Flag }>(
  (_, param) =>
    sql<{ id: string; required: Flag }>`select id, require_task_validation as required from specs
        where board_id = ${param('board')} and require_task_validation is not null`,
)

const readEnds = async (db: Db, boardId: string): Promise<Ends> => ({
  settings: await boardSettings(db, boardId),
  standing: await findStandingSpec({ db, boardId }),
  overrides: new Map((await overriding(db, { board: boardId })).map(({ id, required }) => [id, required === 1])),
})

const mayMove = (access: Access, status: Status, target_status: Status): boolean =>
  mayCall(access, { operation: 'move_card', status, body: { target_status } })

/** Whether somebody may finish a small change without a verdict from somebody else (crew 6.3). */
function mayFinishSmall(access: Access, { settings, standing, overrides }: Ends, card: CardEnds): boolean {
  if (standing === undefined || card.spec_id !== standing || settings.approval_done === 'person') return false
  const required = overrides.get(card.spec_id) ?? settings.require_task_validation
  return !required && !settings.require_separate_reviewer && access.allows('CARDS_MOVE_DONE_SMALL')
}

/** A status in which cards are taken up. */
type TakenIn = Extract<Status, 'not_started' | 'started' | 'in_progress'>

/** A test of cards; undefined if all pass. */
type Test = ((card: CardEnds) => boolean) | undefined

/** Which cards somebody may carry on, by status. */
export type CarryTests = Readonly<Record<TakenIn, Test>>

/** Determines, by status, which cards of a board somebody with this access may carry on. */
export type Carriers = (access: Access) => Promise<CarryTests>

/**
 * Determines, by status, which cards of a board somebody may carry on: start them if they are not started, do what
 * their kind requires, and move them to `validation`; small changes and test cards to `done` if that needs no verdict.
 * For a caller that takes no cards at all but only looks, all pass; a caller that may not read them is offered none.
 * The facts about the board are read once for all questions, and only if somebody may not carry on everything.
 */
export function carriersOn(db: Db, board: string): Carriers {
  let read: Promise<Ends> | undefined
  const ends = () => {
    read ??= readEnds(db, board)
    return read
  }
  return async access => {
    if (!access.allows('CARDS_CLAIM')) return { not_started: undefined, started: undefined, in_progress: undefined }
    if (!access.allows('CARDS_READ')) return { not_started: none, started: none, in_progress: none }
    const started = await fromBegun(ends, access, 'started')
    const in_progress = await fromBegun(ends, access, 'in_progress')
    return { not_started: mayMove(access, 'not_started', 'started') ? started : none, started, in_progress }
  }
}

const none = () => false

async function fromBegun(
  readEnds: () => Promise<Ends>,
  access: Access,
  status: 'started' | 'in_progress',
): Promise<Test> {
  if (!access.allows(writing[status])) return none
  const mayHandOver = mayMove(access, status, 'validation')
  const mayRecord = (['validated', 'in_progress'] as const).every(of =>
    mayCall(access, { operation: 'record_scenario_result', status: of }),
  )
  const mayNameTests = mayCall(access, { operation: 'update_card', status, body: { regression_test: '' } })
  if (mayHandOver && mayRecord && mayNameTests) return undefined
  const ends = await readEnds()
  return card => {
    if (card.card_type === 'test') return mayRecord && (mayHandOver || access.allows('CARDS_MOVE_DONE_TEST'))
    const isTested = mayNameTests || card.card_type !== 'bug' || !ends.settings.require_test_task_for_bug
    return (isTested && mayHandOver) || mayFinishSmall(access, ends, card)
  }
}

const writing = { started: 'CARDS_WRITE_IN_STARTED', in_progress: 'CARDS_WRITE_IN_IN_PROGRESS' } as const
