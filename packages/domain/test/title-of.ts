import type { Reduce } from '../src/kernel/service/call.ts'

/** Makes of a record its title, with what it is told before it. */
const titleOf: Reduce = ({ body }, { operation }, told) =>
  `${told} ${operation.name}: ${(body as { readonly name: string }).name}`

export default titleOf
