import { LastMoment, Moment } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'

/** The time range that many analytics take; `from_date` and `to_date` take precedence over the short names (B.1). */
export const range = {
  from: Moment.optional().describe('date or date-time'),
  to: LastMoment.optional().describe('date or date-time'),
  from_date: Moment.optional().register(toolHints, { hidden: true }),
  to_date: LastMoment.optional().register(toolHints, { hidden: true }),
}
