import type { NextPartOf } from './kernel/service/call.ts'

/**
 * Finds who acts next after a call, loaded with the first one that completes somebody's part: it knows every kind of
 * record.
 */
export const nextParts = async (): Promise<NextPartOf> => {
  const { mayHandOver, nextPart } = await import('./insight/next-part/next-part.ts')
  return { mayHandOver, nextPart }
}
