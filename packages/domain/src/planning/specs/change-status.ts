import type { Context } from '../../kernel/context.ts'
import { updateRow } from '../../schema/rows.ts'
import { allStale } from '../evaluation.ts'
import { recordOn } from '../history/record-entry.ts'
import { forgetDoneTier, noteDoneTier } from '../proof/done-tiers.ts'
import { proofOfSpec } from '../proof/records.ts'
import { isEditable } from './states.ts'
import { columnsOf, readSpec, type SpecRecord, type Status } from './store.ts'

/** The statuses for which a move counts as an approval (people 1.3). */
const approves: ReadonlySet<Status> = new Set(['approved', 'validated', 'done'])

/**
 * Gives a spec another status, with the effects of entering it (specs 5.1), the history entry `status_changed` and the
 * activity `spec_moved`. Checks no gates.
 */
export async function changeStatus(
  ctx: Context,
  spec: SpecRecord,
  to: Status,
  summary = `Moved from ${spec.status} to ${to}`,
): Promise<void> {
  const opened = isEditable(to) ? { current_validation_id: null, evaluations: allStale(spec.evaluations) } : {}
  const validated = to === 'validated' ? { changed_since_validated: [] } : {}
  await updateRow(ctx.db, 'specs', spec.id, columnsOf({ status: to, updated_at: ctx.now(), ...opened, ...validated }))
  if (spec.status === 'done') await forgetDoneTier(ctx.db, spec.id)
  if (to === 'done') await noteDoneTier(ctx.db, spec, settings => proofOfSpec(ctx.db, spec, settings))
  const moved = { spec_id: spec.id, from_status: spec.status, to_status: to }
  const details = { ...moved, ...(approves.has(to) && { present: ctx.caller.present }) }
  await recordOn(ctx, 'spec', spec, {
    activity: { action: 'spec_moved', details },
    history: { action: 'status_changed', changes: [{ field: 'status', old: spec.status, new: to }], summary },
    domain: [{ name: 'spec.moved', ...moved }],
  })
}

/**
 * The automatic rollback (specs 5.1, cards 4.5): when a card is cancelled, its `validated` spec goes back to `approved`
 * in the name of the card's mover; the spec's evaluations become stale, and it has no current validation. A spec in
 * another status stays as it is.
 * @returns whether the spec was rolled back
 */
export async function rollBackValidatedSpec(
  ctx: Context,
  specId: string,
  card: { readonly id: string; readonly title: string },
): Promise<boolean> {
  const spec = await readSpec(ctx.db, specId)
  if (spec.status !== 'validated') return false
  await changeStatus(ctx, spec, 'approved', `Back to approved: card "${card.title}" (${card.id}) was cancelled`)
  return true
}
