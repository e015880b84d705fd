/** Shared by the parts that process forge events. */
import { resolveBase } from '../../../kernel/access/base.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { Callers } from '../../../kernel/followers/callers.ts'
import type { Leases } from '../../../kernel/leases.ts'
import type { SecretKey } from '../../../kernel/secret-key.ts'
import type { Database } from '../../../schema/database.ts'
import type { RepositoriesTable } from '../../../schema/tables.ts'

/** What processing forge events needs from a service. */
export interface ForgeParts {
  readonly database: Database
  readonly leases: Leases
  readonly callers: Callers
  readonly clock: () => number
  readonly newId: () => string
  readonly secretKey: SecretKey
  /** Runs a unit of work that writes to a board, in the name of a forge. */
  readonly write: <Value>(caller: Caller, run: (ctx: Context) => Promise<Value>, board: string) => Promise<Value>
  readonly onFault: (error: unknown) => void
}

/** The caller in whose name the events of a repository change records (git 9). */
export const forgeCaller = ({ id, name }: Pick<RepositoriesTable, 'id' | 'name'>): Caller => ({
  id: `forge:${id}`,
  name,
  kind: 'service',
  via: 'service',
  present: false,
  presetId: null,
  flags: null,
  base: resolveBase({}, null),
})
