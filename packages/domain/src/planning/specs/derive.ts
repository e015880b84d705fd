import type { Context } from '../../kernel/context.ts'
import { recordOn } from '../history/record-entry.ts'
import type { Filters } from '../propagation/filters.ts'
import { copyParts, type Source, selectParts, withCopiedMockups } from '../propagation/propagate.ts'
import { insertSpec } from './insert.ts'
import { readWholeSpec } from './store.ts'

/** The record that a spec is derived from: a done ideation or refinement. */
export interface SpecSource extends Source {
  readonly board_id: string
  readonly description: string | null
  readonly labels: string[] | null
}

/** The fields of a derived spec besides the copies from its source. */
export interface DerivedFields {
  readonly ideation_id: string
  readonly refinement_id: string | null
  readonly context: string | null
}

/**
 * Derives a spec from an ideation or refinement, with copies of the selected parts, and returns it with its nested
 * parts (ideation 8.3). The source's status and version stay.
 * @throws DomainError VALIDATION_ERROR for an unknown mode or filter id
 */
export async function deriveSpec(ctx: Context, source: SpecSource, filters: Filters, fields: DerivedFields) {
  const parts = await selectParts(ctx, source, filters)
  const { board_id, title, description, labels } = source
  const screen_mockups = withCopiedMockups(ctx, null, parts)
  const spec = await insertSpec(
    ctx,
    { board_id, title, description, labels, screen_mockups, ...fields },
    { source: `derived_${source.type}`, origin_id: source.id },
  )
  await copyParts(ctx, parts, { type: 'spec', id: spec.id })
  await recordOn(ctx, source.type, source, {
    history: {
      action: 'spec_draft_created',
      changes: [{ field: 'spec', old: null, new: spec.id }],
      summary: `Derived the spec "${title}"`,
    },
    domain: [{ name: `${source.type}.derived_to_spec`, [`${source.type}_id`]: source.id, spec_id: spec.id }],
  })
  return readWholeSpec(ctx, spec.id)
}
