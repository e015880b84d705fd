import { operationByName, type Permission } from '@specboard/contract'
import { sql } from 'kysely'
import { awaitsValidation } from '../../../delivery/cards/list/ready.ts'
import { carriersOn } from '../../../delivery/work/carried.ts'
import type { Access } from '../../../kernel/access/access.ts'
import { type Member, presetsHolding } from '../../../kernel/access/holders.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall, type PermissionFacts } from '../../../kernel/service/may-call.ts'
import { requiredPermissions } from '../../../kernel/service/required-permissions.ts'
import { hot } from '../../../schema/hot.ts'
import type { CardsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, onBoards, type Source } from '../source.ts'
import { handOverSteps } from './hand-overs.ts'
import { membersOn } from './keepers.ts'
import { callFor, readOf, recordsOf, settlingOf } from './steps.ts'
import { apart, verdicts } from './verdicts.ts'

/** Records that wait for a call, and the facts that its permissions depend on. */
interface NeededCall {
  /** Callers that may not read the records are not notified of them. */
  readonly read: Permission
  readonly find: (ctx: Context, boards: string) => Promise<readonly WaitingItem[]>
  readonly call: (ctx: Context, found: WaitingItem) => Promise<PermissionFacts | null>
}

const ofSteps: readonly NeededCall[] = [...handOverSteps, ...verdicts].map(step => {
  const records = recordsOf(step)
  return {
    read: readOf[step.about],
    find: (ctx, boards) => records(ctx.db, { boards }),
    call: async (ctx, found) => {
      const next = await callFor(ctx, step, found)
      return next === null ? null : settlingOf(step, next)
    },
  }
})

const cardsToValidate = hot<{ boards: string }, WaitingItem>(
  (_, param) =>
    sql<WaitingItem>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.moved_at` })} from cards c
      where ${onBoards('c', param('boards'))} and c.archived = 0 and ${awaitsValidation}`,
)

type Startable = WaitingItem & Pick<CardsTable, 'card_type' | 'spec_id' | 'sprint_id'>

const startable = hot<{ boards: string }, Startable>(
  (_, param) =>
    sql<Startable>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.created_at` })},
        c.card_type, c.spec_id, c.sprint_id from cards c
      where ${onBoards('c', param('boards'))} and c.archived = 0 and c.status = 'not_started'
        and c.spec_id in (select s.id from specs s
          where ${onBoards('s', param('boards'))} and s.status = 'in_progress') limit 200`,
)

const needs: readonly NeededCall[] = [
  ...ofSteps,
  {
    read: 'CARDS_READ',
    find: (ctx, boards) => cardsToValidate(ctx.db, { boards }),
    call: async () => ({ operation: 'submit_task_validation', status: 'validation' }),
  },
]

/** The calls that whoever takes a card has to make: claim it, start it, and move it to where others review it. */
const work: readonly PermissionFacts[] = [
  { operation: 'claim_card' },
  { operation: 'move_card', status: 'not_started', body: { target_status: 'started' } },
  { operation: 'move_card', status: 'started', body: { target_status: 'validation' } },
]

/** A permission that records of a board wait for and that only its owner has. */
interface Gap {
  readonly board: string
  readonly permission: Permission
  records: number
  oldest: string
}

const permissionsFor = ({ operation: name, status, body }: PermissionFacts) =>
  requiredPermissions(
    operationByName.get(name)!,
    { params: {}, query: {}, body },
    status === undefined ? null : { status, archived: false },
  )

const crewOf = async (ctx: Context, board: string) => (await membersOn(ctx, board)).filter(({ isOwner }) => !isOwner)

/**
 * The permission for a call on a record, if no agent of the board except its owner has it, or only agents that took
 * part in what they would review; undefined if somebody may make the call.
 */
async function missingOn(
  ctx: Context,
  { board, record }: WaitingItem,
  read: Permission,
  settling: PermissionFacts,
): Promise<Permission | undefined> {
  const crew = await crewOf(ctx, board)
  const may = crew.filter(({ access }) => access.allows(read) && mayCall(access, settling))
  if ((await apart(ctx, settling, record, may)).length > 0) return undefined
  return lackedBy(crew, [...permissionsFor(settling), read])
}

/** The first of some permissions that nobody in a crew has; if each is held by somebody, the first. */
const lackedBy = (crew: readonly Member[], permissions: readonly Permission[]): Permission | undefined =>
  permissions.find(name => !crew.some(({ access }) => access.allows(name))) ?? permissions[0]

/** Cards that could be started, but that nobody in the crew may carry on, each with the missing permission. */
async function uncarriedOn(ctx: Context, board: string): Promise<readonly (readonly [WaitingItem, Permission])[]> {
  const cards = await startable(ctx.db, { boards: JSON.stringify([board]) })
  if (cards.length === 0) return []
  const crew = await crewOf(ctx, board)
  const missing = lackedBy(crew, work.flatMap(permissionsFor))!
  const workers = crew.filter(({ access }) => access.allows('CARDS_CLAIM'))
  const carriedBy = carriersOn(ctx.db, board)
  const carried = await Promise.all(workers.map(({ access }) => carriedBy(access)))
  return cards
    .filter(card => !carried.some(({ not_started }) => not_started?.(card) !== false))
    .map(card => [card, missing] as const)
}

async function gapsOn(ctx: Context, boards: readonly Access[]): Promise<readonly Gap[]> {
  const owned = boards.filter(({ way }) => way?.owner)
  const gaps = new Map<string, Gap>()
  if (owned.length === 0) return []
  const add = (found: WaitingItem, permission: Permission) => {
    const key = sourceOf(found.board, permission)
    const gap = gaps.get(key) ?? { board: found.board, permission, records: 0, oldest: found.since }
    gap.records++
    if (found.since < gap.oldest) gap.oldest = found.since
    gaps.set(key, gap)
  }
  for (const { read, find, call } of needs)
    for (const found of await find(ctx, idsOf(owned))) {
      const settling = await call(ctx, found)
      const permission = settling === null ? undefined : await missingOn(ctx, found, read, settling)
      if (permission !== undefined) add(found, permission)
    }
  for (const { way } of owned)
    for (const [card, permission] of await uncarriedOn(ctx, way!.boardId)) add(card, permission)
  return [...gaps.values()]
}

const sourceOf = (board: string, permission: Permission) => `${board}.${permission}`

const builtins = hot<{ is_builtin: 1 }, { id: string; name: string }>((db, param) =>
  db.selectFrom('presets').select(['id', 'name']).where('is_builtin', '=', param('is_builtin')),
)

/** Calls that records wait for and that only the owner of a board may make (crew 4.3). */
export const crewGaps: Source = {
  kind: 'crew_gap',
  about: 'board',
  isOpen: access => access.way?.owner === true && mayCall(access, { operation: 'create_agent' }),
  find: async (ctx, boards) =>
    (await gapsOn(ctx, boards)).map(({ board, permission, oldest }) => ({
      source: sourceOf(board, permission),
      record: board,
      board,
      since: oldest,
    })),
  show: async (ctx, page, on) => {
    const gaps = await gapsOn(ctx, [...new Set(page.map(({ board }) => board))].map(on))
    const presets = new Map((await builtins(ctx.db, { is_builtin: 1 })).map(({ id, name }) => [name, id]))
    return new Map(
      gaps.map(({ board, permission, records, oldest }) => {
        const fitting = presetsHolding(permission)
        return [
          sourceOf(board, permission),
          {
            actor_id: null,
            data: { permission, records, oldest, presets: fitting },
            operation: 'create_agent' as const,
            arguments: { preset_id: presets.get(fitting[0] ?? '') ?? null, board_ids: [board] },
          },
        ]
      }),
    )
  },
}
