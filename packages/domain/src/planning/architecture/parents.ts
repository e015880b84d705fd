import type { AddressedRecord } from '../../kernel/access/records.ts'
import { archived } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { lockOf, refuseLocked } from '../spec-lock.ts'
import type { Design } from './design.ts'

/**
 * Refuses to change the designs of an archived record or of a locked spec (A.6).
 * @throws DomainError ARCHIVED, SPEC_LOCKED
 */
export async function refuseUnlessMutable(ctx: Context, parent: AddressedRecord): Promise<void> {
  if (parent.archived) throw archived(parent, await restoredBy(ctx, parent))
  if (parent.type === 'spec') refuseLocked(await lockOf(ctx.db, parent.id))
}

/**
 * Refuses to change a design whose parent is archived or locked.
 * @throws DomainError ARCHIVED, SPEC_LOCKED
 */
export async function refuseUnlessParentMutable(ctx: Context, design: Design): Promise<void> {
  const { record } = await ctx.reach(design.parent_type, design.parent_id)
  await refuseUnlessMutable(ctx, record)
}

/** The record to restore in order to restore an archived one: the record itself, or the spec of a card (access 6). */
async function restoredBy(ctx: Context, parent: AddressedRecord): Promise<{ type: string; id: string } | null> {
  if (parent.type !== 'card') return parent
  const card = await ctx.db.selectFrom('cards').select('spec_id').where('id', '=', parent.id).executeTakeFirst()
  return card?.spec_id == null ? null : { type: 'spec', id: card.spec_id }
}
