import { type FollowerCheck, type Rebuild, readWithoutLock, writeWithoutLock } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import { type Finding, repairOf, type Use } from './finding.ts'
import { placeOf, type Settings } from './settings.ts'
import { openWithoutWorkers } from './without-workers.ts'

/**
 * The findings of the followers' checks; `fix` rebuilds what is wrong unless a server uses the database, because its
 * writes would have to wait.
 */
export async function followerFindings(
  settings: Settings,
  use: Use,
  { name, look }: Pick<FollowerCheck, 'name' | 'look'>,
): Promise<Finding[]> {
  try {
    const findings: Finding[] = []
    for (const { ok, says, rebuild } of await readWithoutLock(placeOf(settings), look)) {
      if (rebuild === undefined) findings.push({ name, ok, says })
      else if (use.fix && !use.served)
        findings.push({ name, ok: true, says: `fixed: ${await rebuilt(settings, rebuild)}` })
      else findings.push({ name, ok, says: `${says}; ${repairOf(use)} ${rebuild.does}`, isFixable: true })
    }
    return findings
  } catch (error) {
    // A missing database, or one of another version, is reported elsewhere.
    if (error instanceof StorageError) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}

async function rebuilt(settings: Settings, rebuild: Rebuild): Promise<string> {
  if ('inDatabase' in rebuild) return writeWithoutLock(placeOf(settings), rebuild.inDatabase)
  const { graph, close } = await openWithoutWorkers(settings)
  try {
    return await rebuild.inGraph(graph)
  } finally {
    await close()
  }
}
