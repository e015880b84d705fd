import type { SpecStatus } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from '../../../kernel/context.ts'
import { countKnowledge } from '../../../planning/knowledge/store.ts'
import { readRefinement } from '../../../planning/refinements/store.ts'
import { hot } from '../../../schema/hot.ts'
import { refOf } from '../../../schema/refs.ts'
import { type OnBoard, onBoard } from '../../../schema/same-board.ts'

interface DerivedSpec {
  id: string
  ref: string
  title: string
  status: z.infer<typeof SpecStatus>
}

const derivedSpecs = hot<OnBoard, DerivedSpec>((db, param) =>
  db
    .selectFrom('specs')
    .select(['id', refOf('specs').as('ref'), 'title', 'status'])
    .$narrowType<{ status: DerivedSpec['status'] }>()
    .where('refinement_id', '=', param('id'))
    .where(onBoard('specs', param('board_id')))
    .where('archived', '=', 0)
    .orderBy('created_at')
    .orderBy('id'),
)

/** The figures of a refinement (B.13). */
export async function refinementEntity(ctx: Context, id: string) {
  const refinement = await readRefinement(ctx.db, id)
  const [knowledge] = await countKnowledge(ctx.db, refinement)
  const specs = await derivedSpecs(ctx.db, refinement)
  return {
    refinement_id: id,
    title: refinement.title,
    description: refinement.description,
    status: refinement.status,
    version: refinement.version,
    ideation_id: refinement.ideation_id,
    in_scope: refinement.in_scope,
    out_of_scope: refinement.out_of_scope,
    analysis: refinement.analysis,
    decisions: refinement.decisions,
    knowledge_base_count: knowledge!.count,
    derived_specs: ctx.access.allows('SPECS_READ') ? specs : [],
    created_at: refinement.created_at,
    updated_at: refinement.updated_at,
  }
}
