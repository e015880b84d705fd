/** What a derived record copies from its source (ideation 8). */
import { z } from 'zod'
import { list } from '../limits.ts'

const filter = list(z.string()).nullable().default(null)

/** The filters of a derivation: a list copies only what it names, an empty one nothing. */
export const propagationFilters = {
  mockup_ids: filter,
  kb_ids: filter,
  architecture_design_ids: filter,
  architecture_propagation_mode: z.string().default('copy').describe('copy, derive, reference_only or none'),
}

/** Body of the derive operations. */
export const SpecDerive = z.object(propagationFilters).meta({ id: 'SpecDerive' })
