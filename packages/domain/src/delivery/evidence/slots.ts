import type { Limits } from '../../kernel/agent-slots.ts'

/** The number of reports read at once: shards that arrive together wait for one another (evidence 2, rule 10). */
export const reportSlots: Limits = { ofAnAgent: 4, ofABoard: 8, ofAll: 16, maxWaitMs: 10_000, label: 'reports' }
