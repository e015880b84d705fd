import { readFile, stat } from 'node:fs/promises'
import { createClient } from '@specboard/client'
import { type DatabasePlace, readWithoutLock, trustedIssuers } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'
import type { Target } from './frame/target.ts'

const name = 'CI issuer'

/** How long to wait for a running service's answer, ms. */
const patienceMs = 5_000

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** An age for people, in its largest unit. */
function aged(seconds: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(seconds / length)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} old`
  }
  return 'new'
}

/** The contents of the key file, if there is one. */
async function readKeys(file: string): Promise<{ readonly issuers: ReadonlySet<string>; readonly age: number }> {
  const sets: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (typeof sets !== 'object' || sets === null || Array.isArray(sets)) throw new Error('It is not a JSON object.')
  return { issuers: new Set(Object.keys(sets)), age: (Date.now() - (await stat(file)).mtimeMs) / 1_000 }
}

/**
 * The age of the keys cached by a running service, s, by issuer; empty if no service runs or the key may not query it.
 */
async function ages(target: Target): Promise<ReadonlyMap<string, number>> {
  if (target.key === undefined) return new Map()
  try {
    const client = createClient({ url: target.url, key: target.key })
    const { ci_issuers } = await client.getServiceStatus({}, { signal: AbortSignal.timeout(patienceMs) })
    return new Map(ci_issuers.map(({ issuer, age_s }) => [issuer, age_s]))
  } catch {
    return new Map()
  }
}

/** Each trusted issuer of CI tokens, with the source and age of its keys (evidence 6.2). */
export async function issuerFindings(
  place: DatabasePlace,
  keysFile: string | undefined,
  target: Target,
): Promise<Finding[]> {
  try {
    const issuers = await readWithoutLock(place, trustedIssuers)
    const [file, fault] =
      keysFile === undefined
        ? []
        : await readKeys(keysFile).then(
            read => [read] as const,
            (error: unknown) => [undefined, explain(error)] as const,
          )
    const keyAges = issuers.length === 0 ? new Map<string, number>() : await ages(target)
    const findings = issuers.map((issuer): Finding => {
      if (file?.issuers.has(issuer))
        return { name, ok: true, says: `${issuer}: keys of ${keysFile}, ${aged(file.age)}` }
      const age = keyAges.get(issuer)
      const says = age === undefined ? 'fetched when a token arrives' : aged(age)
      return { name, ok: true, says: `${issuer}: keys of its address, ${says}` }
    })
    if (fault === undefined) return findings
    const says = `${keysFile} cannot be read (${fault}): the keys that were read last are used until the next start; fix the file`
    return [...findings, { name: 'CI keys', ok: false, says }]
  } catch (error) {
    if (error instanceof StorageError) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}
