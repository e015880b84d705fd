import type { Reduce } from '../src/kernel/service/call.ts'

/** Reduces a record to its title, preceded by the given parameter and the name of the operation. */
const titleOf: Reduce = ({ body }, { operation }, prefix) =>
  `${prefix} ${operation.name}: ${(body as { readonly name: string }).name}`

export default titleOf
