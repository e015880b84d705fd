import { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { blocked, type DomainError, refuse } from '../../kernel/errors.ts'
import { hot } from '../../schema/hot.ts'
import { findStandingSpec } from './find-standing.ts'
import { insertSpec } from './insert.ts'
import type { SpecRecord } from './store.ts'

const ownerOf = hot<{ board: string }, { owner_id: string }>((db, param) =>
  db.selectFrom('boards').select('owner_id').where('id', '=', param('board')),
)

/** The id of the spec that collects the small changes of a board; created for the first of them (crew 6.1). */
export async function standingSpec(ctx: Context): Promise<string> {
  const found = await findStandingSpec(ctx)
  if (found !== undefined) return found
  const [board] = await ownerOf(ctx.db, { board: ctx.boardId })
  const spec = await insertSpec(ctx, {
    board_id: ctx.boardId,
    title: 'Small changes',
    status: 'in_progress',
    standing: true,
    created_by: board!.owner_id,
  })
  return spec.id
}

/** The refusal of what the standing spec cannot do; null for any other spec (crew 6.1). */
export const standingRefusal = ({ standing }: Pick<SpecRecord, 'standing'>): DomainError | null =>
  standing
    ? blocked(
        'INVALID_STATE',
        'This spec collects the small changes of the board and stays unchanged. promote_card turns a card into a spec.',
        { status: 'standing' },
      )
    : null

/** @throws DomainError INVALID_STATE for the standing spec */
export const refuseStanding = (spec: Pick<SpecRecord, 'standing'>): void => refuse(standingRefusal(spec))

const changeable: ReadonlySet<string> = new Set([
  ...['title', 'description', 'context', 'labels'],
  // Options of a call, which are not fields of the spec.
  ...['expected_rev', 'lists', 'allow_removal'],
])

/** The fields of update_spec that cannot change in the standing spec, sorted. */
export const fixedOfStanding: readonly string[] = Object.keys(features.specs.update_spec.body.shape)
  .filter(name => !changeable.has(name))
  .sort()

/**
 * Refuses changes of the fixed fields of the standing spec.
 * @throws DomainError INVALID_STATE
 */
export function refuseFixed(spec: Pick<SpecRecord, 'standing'>, fields: readonly string[]): void {
  if (fields.some(field => !changeable.has(field))) refuseStanding(spec)
}
