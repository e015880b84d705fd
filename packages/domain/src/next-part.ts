import type { NextPartOf } from './kernel/service/call.ts'

/** Who has the next part after a call, loaded with the first one that ends somebody's: it knows every kind of record. */
export const nextParts = async (): Promise<NextPartOf> => {
  const { mayHandOver, nextPart } = await import('./insight/next-part/next-part.ts')
  return { mayHandOver, nextPart }
}
