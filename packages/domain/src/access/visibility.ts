import type { AnyOperation } from '@specboard/contract'
import { readAgent } from '../agents/store.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { checkGuideline } from '../guidelines/reach.ts'
import { readPreset } from '../presets/store.ts'
import { checkScenario } from '../specs/card-links.ts'
import { manages } from './managed.ts'

/** Refuses what the caller of an operation cannot see. */
export type VisibilityCheck = (ctx: Context, id: string, operation: AnyOperation) => Promise<void>

/**
 * Records without a board that a path names, by parameter: each check throws NOT_FOUND for what the caller
 * cannot see, before permissions are asked.
 */
export const ownVisibility: Readonly<Record<string, VisibilityCheck>> = {
  agent_id: seesAgent,
  preset_id: async ({ db, caller }, id) => {
    await readPreset(db, id, caller.id)
  },
  guideline_id: checkGuideline,
  scenario_id: checkScenario,
}

/** An agent sees itself and those it manages, while they are not deleted (access 8.2). */
async function seesAgent({ db, caller }: Context, id: string): Promise<void> {
  await readAgent(db, id)
  if (id !== caller.id && !(await manages(db, caller.id, id))) throw notFound('agent', id)
}
