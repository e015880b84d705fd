import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The condition that a branch held one commit before it got another, for two rows of its commits by their names in a
 * statement; those of one push have ids in its order (git 3, rule 2).
 */
export const isPlacedBefore = (earlier: string, later: string): RawBuilder<SqlBool> => {
  const [placed, id] = [`${earlier}.placed_at`, `${earlier}.commit_id`].map(sql.ref)
  const [laterPlaced, laterId] = [`${later}.placed_at`, `${later}.commit_id`].map(sql.ref)
  return sql<SqlBool>`(${placed} < ${laterPlaced} or ${placed} = ${laterPlaced} and ${id} < ${laterId})`
}
