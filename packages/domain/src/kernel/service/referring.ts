import { eachNamed, namingOf, withNamed } from '@specboard/contract'
import type { Database } from '../../schema/database.ts'
import { Named } from '../access/referred.ts'
import type { Call } from './call.ts'

/**
 * A call with the ids of the records that its references name, in every place of path, query and body where an id
 * stands (work 1). A call that has none is answered as it is, without a look at the database.
 */
export async function withIds(database: Pick<Database, 'read'>, call: Call): Promise<Call> {
  const { operation, input, caller, within } = call
  const naming = namingOf(operation)
  const named = new Named()
  eachNamed(naming.params, input.params, named.add)
  eachNamed(naming.query, input.query, named.add)
  eachNamed(naming.body, input.body, named.add)
  if (named.isEmpty || caller === null) return call
  const idOf = await database.read(db => named.find(db, { agentId: caller.id, within }))
  return {
    ...call,
    input: {
      ...input,
      params: withNamed(naming.params, input.params, idOf) as typeof input.params,
      query: withNamed(naming.query, input.query, idOf) as typeof input.query,
      body: withNamed(naming.body, input.body, idOf) as typeof input.body,
    },
  }
}
