/** How records are identified: by stable content and never by the order of files or rows (imports 3). */
import { createHash } from 'node:crypto'

export interface Claim {
  /** The source's own id. */
  readonly id: string
  readonly title: string
  /** Its location, such as a folder or a file; null if the format has only one. */
  readonly folder?: string | null
}

/** The records of an earlier import, by external id. */
export interface KnownRecords {
  has(id: string): boolean
  /** Whether a record had this title in the last import. */
  isTitled(id: string, title: string): boolean
}

const nothingKnown: KnownRecords = { has: () => false, isTitled: () => false }

/** Separates an id from the suffix that makes it unique. */
const apart = '~'

/**
 * The ids of records: the source's own if it is unique; records that share one get the id with a digest of the title,
 * and those that also share the title, a digest of folder and title. Complete duplicates are numbered.
 *
 * If an id becomes unique or repeated, no record takes over the identity of another: the record with a known title
 * keeps its imported id.
 */
export function identities(claims: readonly Claim[], existing: KnownRecords = nothingKnown): string[] {
  const ids = new Map<Claim, string>()
  const usedIds = new Set<string>()
  const repeated: Claim[][] = []
  for (const same of Map.groupBy(claims, ({ id }) => id).values()) {
    const owner =
      same.length === 1 ? ownerOfUnique(same[0]!, existing) : same.find(one => existing.isTitled(one.id, one.title))
    if (owner !== undefined) {
      ids.set(owner, owner.id)
      usedIds.add(owner.id)
    }
    const others = same.filter(one => one !== owner)
    if (others.length > 0) repeated.push(others)
  }
  for (const same of repeated) {
    const byTitle = Map.groupBy(same, ({ title }) => title)
    for (const claim of same) {
      const isOne = byTitle.get(claim.title)!.length === 1
      ids.set(claim, free(isOne ? repeatedId(claim) : byPlaceOf(claim), usedIds))
    }
  }
  return claims.map(claim => ids.get(claim)!)
}

/**
 * The claim, if its record may have the plain id; undefined if it was imported as one of several records with that id,
 * and another one had the plain id.
 */
function ownerOfUnique(claim: Claim, existing: KnownRecords): Claim | undefined {
  return existing.has(repeatedId(claim)) && !existing.isTitled(claim.id, claim.title) ? undefined : claim
}

/** The id of a record that shares its own id, made unique by its title. */
export const repeatedId = ({ id, title }: Claim): string => `${id}${apart}${digest(title)}`

const byPlaceOf = ({ id, title, folder }: Claim): string => `${id}${apart}${digest(`${folder ?? ''}\n${title}`)}`

function free(name: string, usedIds: Set<string>): string {
  let number = 1
  let id = name
  while (usedIds.has(id)) id = `${name}-${++number}`
  usedIds.add(id)
  return id
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)
