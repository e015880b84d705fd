import type { NextPartOf } from './kernel/service/call.ts'

/**
 * Finds who acts next after a call. It knows every kind of record, so it is loaded only with the first call that
 * completes somebody's part.
 */
export const nextParts = async (): Promise<NextPartOf> => {
  const { mayHandOver, nextPart } = await import('./insight/next-part/next-part.ts')
  return { mayHandOver, nextPart }
}
