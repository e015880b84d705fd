import type { AnyOperation } from '@specboard/contract'

/** Names of tools that make, ask, answer or judge something, each time something new. */
const making = /^(?:answer|ask|create|derive|promote|submit)_/

/**
 * Whether an equal call of a tool may be one that was sent twice: of tools that create, ask, answer, submit or move; but
 * not of those whose answer shows a key (crew 3).
 */
export const isRepeatable = ({ name, method, secret, kind }: AnyOperation): boolean =>
  method === 'POST' && secret === undefined && kind === undefined && (making.test(name) || name === 'move_card')
