import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { readIdeation } from '../../../planning/ideations/store.ts'
import { hot } from '../../../schema/hot.ts'

interface Counts {
  refinement_count: number
  spec_count: number
  qa_count: number
}

const countsOf = hot<{ id: string }, Counts>(
  (_, param) =>
    sql<Counts>`select
      (select count(*) from refinements r where r.ideation_id = ${param('id')} and r.archived = 0) as refinement_count,
      (select count(*) from specs s where s.ideation_id = ${param('id')} and s.archived = 0) as spec_count,
      (select count(*) from questions q where q.owner_id = ${param('id')}) as qa_count`,
)

/** The figures of an ideation (B.13). */
export async function ideationEntity(ctx: Context, id: string) {
  const ideation = await readIdeation(ctx.db, id)
  const [counts] = await countsOf(ctx.db, { id })
  return {
    ideation_id: id,
    title: ideation.title,
    status: ideation.status,
    complexity: ideation.complexity,
    scope_assessment: ideation.scope_assessment,
    ...counts!,
    created_at: ideation.created_at,
  }
}
