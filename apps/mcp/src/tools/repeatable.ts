import type { AnyOperation } from '@specboard/contract'

/** Names of tools that create, ask, answer or judge something, with a new result each time. */
const making = /^(?:answer|ask|create|derive|promote|submit)_/

/**
 * Whether an identical call of a tool may be an accidental repetition: for tools that create, ask, answer, submit or
 * move; but not for those whose answer shows a key (crew 3).
 */
export const isRepeatable = ({ name, method, secret, kind }: AnyOperation): boolean =>
  method === 'POST' && secret === undefined && kind === undefined && (making.test(name) || name === 'move_card')
