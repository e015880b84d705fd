import { type OperationName, operationByName, type Permission, pathNames } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { hasField } from '../../../kernel/body-fields.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall, type PermissionFacts } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import type { Kind, WaitingItem } from '../rules.ts'
import {
  foundColumns,
  idsOf,
  inStatusSince,
  onBoards,
  recordsOf as recordsAsked,
  type Selection,
  type Source,
  statusSetBy,
} from '../source.ts'

/** The kinds of record that move through statuses. */
export type StepRecord = 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card'

export const tableOf = {
  ideation: 'ideations',
  refinement: 'refinements',
  spec: 'specs',
  sprint: 'sprints',
  card: 'cards',
} as const

/** The permission to read records of each kind. */
export const readOf: Readonly<Record<StepRecord, Permission>> = {
  ideation: 'IDEATIONS_READ',
  refinement: 'REFINEMENTS_READ',
  spec: 'SPECS_READ',
  sprint: 'SPRINTS_READ',
  card: 'CARDS_READ',
}

/** The call that takes a record to its next step. */
export interface StepCall {
  readonly operation: OperationName
  /** Its arguments besides the id of the record, which is added unless they contain it. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** The status of the record that the call addresses, if that is not the record of the step. */
  readonly status?: string
  /** Further details of the item, such as what the caller must add. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** Finds the call for a record; null if the record waits for something else. */
export type CallOf = (ctx: Context, found: WaitingItem) => Promise<StepCall | null>

/** Records in a state of the table of hand-overs (crew 4.2), and who may take them on. */
export interface Step {
  readonly kind: Kind
  readonly about: StepRecord
  /** The status of the records, in which permissions are checked. */
  readonly status: string
  /** The condition for records `r` in the status; by default all. */
  readonly where?: RawBuilder<SqlBool>
  /** The call for all records, or a function that finds the call for each record. */
  readonly call: StepCall | CallOf
  /** Further arguments of the call, which no permission depends on: looked up only where the call is shown. */
  readonly shownArguments?: (ctx: Context, found: WaitingItem) => Promise<NonNullable<StepCall['arguments']>>
  /** The records for which the caller is responsible; by default all. */
  readonly isFor?: (ctx: Context, found: readonly WaitingItem[], step: Step) => Promise<readonly WaitingItem[]>
}

/** Whether the call of a step addresses its record, whose status then counts among its permissions. */
const isAddressed = ({ about }: Step, operation: OperationName): boolean =>
  pathNames(operationByName.get(operation)!.path).includes(`${about}_id`)

/** All arguments of the call of a step on a record: its id, where the operation takes it, and those of the call. */
export function argumentsOf(
  about: StepRecord,
  record: string,
  { operation: name, arguments: args }: StepCall,
): Readonly<Record<string, unknown>> {
  const operation = operationByName.get(name)!
  const id = `${about}_id`
  const takesIt = pathNames(operation.path).includes(id) || hasField(operation, id)
  return { ...(takesIt && { [id]: record }), ...args }
}

/**
 * The facts on which the permissions for the call of a step depend. That its record is named matters, because a card
 * with a spec is not a small change; which record it is does not.
 */
export const settlingOf = (step: Step, { operation, status, arguments: args }: StepCall): PermissionFacts => ({
  operation,
  ...(isAddressed(step, operation)
    ? { status: step.status, ...(args !== undefined && { body: args }) }
    : { ...(status !== undefined && { status }), body: { [`${step.about}_id`]: step.about, ...args } }),
})

/** The call of a step for a record; null if it waits for something else. */
export const callFor = async (ctx: Context, { call }: Step, found: WaitingItem): Promise<StepCall | null> =>
  typeof call === 'function' ? call(ctx, found) : call

/** The call of a step for a record with all its arguments; null if it waits for something else. */
export async function shownCallFor(ctx: Context, step: Step, found: WaitingItem): Promise<StepCall | null> {
  const call = await callFor(ctx, step, found)
  if (call === null || step.shownArguments === undefined) return call
  return { ...call, arguments: { ...call.arguments, ...(await step.shownArguments(ctx, found)) } }
}

/** The records `r` that a step is about. */
const foundBy = ({ about, status, where }: Omit<Step, 'call' | 'kind'>, which: Expression<SqlBool>) =>
  sql<WaitingItem>`select ${foundColumns('r', { source: 'r.id', record: 'r.id', since: inStatusSince('r') })}
    from ${sql.table(tableOf[about])} r
    where ${which} and r.status = ${sql.lit(status)} and r.archived = 0
      and ${where ?? sql`true`}${about === 'spec' ? sql` and r.standing = 0` : sql``}`

/** Finds the records of a step on boards, regardless of who may take them on. */
export const recordsOf = (step: Omit<Step, 'call' | 'kind'>) =>
  hot<{ boards: string }, WaitingItem>((_, param) => foundBy(step, onBoards('r', param('boards'))))

/** Finds a record by id if a step is about it, regardless of who may take it on. */
export const recordOf = (step: Omit<Step, 'call' | 'kind'>) =>
  hot<{ id: string }, WaitingItem>((_, param) => foundBy(step, sql<SqlBool>`r.id = ${param('id')}`))

/** The items of a step. */
export function stepSource(step: Step): Source {
  const { kind, about, call } = step
  const table = tableOf[about]
  const found = recordsOf(step)
  const makers = hot<Selection, { id: string; maker: string }>(
    (_, param) =>
      sql<{ id: string; maker: string }>`select r.id, ${statusSetBy('r')} as maker from ${sql.table(table)} r
        where ${dialect.inList(sql.ref('r.id'), param('ids'))}`,
  )
  return {
    kind,
    about,
    isOpen: access =>
      access.allows(readOf[about]) && (typeof call === 'function' || mayCall(access, settlingOf(step, call))),
    find: async (ctx, boards) => {
      const all = await found(ctx.db, { boards: idsOf(boards) })
      const may = typeof call === 'function' ? await thoseOpen(ctx, step, all, boards) : all
      return step.isFor === undefined ? may : step.isFor(ctx, may, step)
    },
    show: async (ctx, page) => {
      const rows = await makers(ctx.db, recordsAsked(page))
      const makerOf = new Map(rows.map(({ id, maker }) => [id, maker]))
      const entries = []
      for (const item of page) {
        const next = (await shownCallFor(ctx, step, item))!
        entries.push([
          item.source,
          {
            actor_id: makerOf.get(item.record) ?? null,
            data: next.data ?? null,
            operation: next.operation,
            arguments: argumentsOf(about, item.record, next),
          },
        ] as const)
      }
      return new Map(entries)
    },
  }
}

async function thoseOpen(
  ctx: Context,
  step: Step,
  all: readonly WaitingItem[],
  boards: Parameters<Source['find']>[1],
): Promise<readonly WaitingItem[]> {
  const byId = new Map(boards.map(access => [access.way!.boardId, access]))
  const open: WaitingItem[] = []
  for (const one of all) {
    const next = await callFor(ctx, step, one)
    if (next !== null && mayCall(byId.get(one.board)!, settlingOf(step, next))) open.push(one)
  }
  return open
}
