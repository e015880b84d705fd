import { brokenSequences, type DatabasePlace, falseListCounts, readWithoutLock } from '@specboard/domain'

/**
 * Looks at a filled database as doctor does.
 * @throws Error if the log of a board has a gap, or a list is counted wrongly
 */
export async function refuseUntrue(place: DatabasePlace): Promise<void> {
  const broken = await readWithoutLock(place, brokenSequences)
  const counts = await readWithoutLock(place, falseListCounts)
  if (broken.length + counts > 0)
    throw new Error(`The filled database has ${broken.length} broken logs and ${counts} false counts of lists.`)
}
