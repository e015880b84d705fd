/** The issuers whose CI tokens are accepted for some repository (evidence 6.2). */
import type { Db } from '../../schema/database.ts'

/** The issuers that repositories of the service trust, in order. */
export async function trustedIssuers(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('repositories')
    .select('ci_issuer')
    .distinct()
    .where('ci_issuer', 'is not', null)
    .orderBy('ci_issuer')
    .execute()
  return rows.flatMap(({ ci_issuer }) => ci_issuer ?? [])
}
