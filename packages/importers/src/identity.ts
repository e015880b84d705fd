/** Which record is which, told from stable content and never from the order of files or rows (imports 3). */
import { createHash } from 'node:crypto'

export interface Claim {
  /** The source's own id. */
  readonly id: string
  readonly title: string
  /** Where it stands, such as a folder or a file; null where the format has one place. */
  readonly folder?: string | null
}

/** Stands between an id and what tells those apart that have it. */
export const apart = '~'

/**
 * The ids of records: the source's own where it is unique; of those that repeat it, the id with a digest of the title, of
 * those with one title of folder and title. What is equal in all of that is numbered, and so is what takes a given id.
 */
export function identities(claims: readonly Claim[]): string[] {
  const byId = Map.groupBy(claims, ({ id }) => id)
  const given = new Map<Claim, string>()
  const taken = new Set<string>()
  for (const [id, same] of byId) {
    if (same.length > 1) continue
    given.set(same[0]!, id)
    taken.add(id)
  }
  for (const [id, same] of byId) {
    if (same.length === 1) continue
    const byTitle = Map.groupBy(same, ({ title }) => title)
    for (const claim of same) {
      const isOne = byTitle.get(claim.title)!.length === 1
      const name = isOne ? repeatedId(claim) : `${id}${apart}${digest(`${claim.folder ?? ''}\n${claim.title}`)}`
      given.set(claim, free(name, taken))
    }
  }
  return claims.map(claim => given.get(claim)!)
}

/** The id that a record has where its own is repeated, and only its title tells it apart. */
export const repeatedId = ({ id, title }: Pick<Claim, 'id' | 'title'>): string => `${id}${apart}${digest(title)}`

function free(name: string, taken: Set<string>): string {
  let number = 1
  let id = name
  while (taken.has(id)) id = `${name}-${++number}`
  taken.add(id)
  return id
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)
