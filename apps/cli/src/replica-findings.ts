import { inspectReplica } from '@specboard/domain'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'

const name = 'read replica'

/** Checks whether the replica that answers reads follows the database and keeps up; empty if none is set up. */
export async function replicaFindings(url: string, readUrl: string | undefined): Promise<Finding[]> {
  if (readUrl === undefined) return []
  try {
    const { isCopy, missing } = await inspectReplica(url, readUrl)
    if (!isCopy) return [{ name, ok: false, says: `is not a copy of the database: ${inItsPlace}` }]
    if (missing > 0) return [{ name, ok: false, says: `${missing} bytes behind for more than 2 s: ${inItsPlace}` }]
    return [{ name, ok: true, says: 'follows the database, and keeps up' }]
  } catch (error) {
    return [{ name, ok: false, says: `${withItsSetting(explain(error))} Meanwhile ${inItsPlace}` }]
  }
}

const inItsPlace = 'the primary answers in its place'

/** Names the replica's setting in messages about an address that does not answer; they name the primary's. */
const withItsSetting = (text: string): string =>
  text.replaceAll('SPECBOARD_DATABASE_URL names it', 'SPECBOARD_DATABASE_READ_URL names it')
