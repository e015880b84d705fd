import { type DatabasePlace, readWithoutLock, repairSchema, schemaFaults } from '@specboard/domain'
import { type SchemaFault, StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import { type Finding, listed, repairOf, type Use } from './finding.ts'

const name = 'indexes and triggers'

/**
 * Finds indexes, triggers and functions that were dropped or changed; `fix` recreates them. Check data that triggers
 * maintain only afterwards.
 */
export async function schemaFindings(place: DatabasePlace, use: Use): Promise<Finding[]> {
  try {
    // Throws for a database of another version, whose indexes and triggers are different.
    await readWithoutLock(place, async () => {})
    const faults = await schemaFaults(place)
    if (faults === undefined)
      return [{ name, ok: true, says: 'not checked: the role may not create a schema, or the server takes no writes' }]
    if (faults.length === 0) return [{ name, ok: true, says: 'as this version creates them' }]
    const faultList = listed(faults.map(faultText))
    if (!use.fix || use.served)
      return [{ name, ok: false, says: `${faultList}; ${repairOf(use)} recreates them`, isFixable: true }]
    const failed = await repairSchema(place, faults)
    if (failed.length === 0) return [{ name, ok: true, says: `fixed: ${faultList}` }]
    const reasons = failed.map(part => `${part.name} cannot be created (${part.reason})`)
    return [{ name, ok: false, says: `${listed(reasons)}; correct the records that are in its way` }]
  } catch (error) {
    // A database that is absent, or will be migrated by the next start, does not have this version's schema yet.
    if (error instanceof StorageError && ['NO_DATABASE', 'DATABASE_OLDER'].includes(error.code)) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}

const faultText = ({ kind, name: part, table, isMissing }: SchemaFault): string =>
  `the ${kind} ${part}${table === '' ? '' : ` of ${table}`} is ${isMissing ? 'missing' : 'different'}`
