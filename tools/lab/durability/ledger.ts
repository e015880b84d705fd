/** An ideation that was to be created: one call, which may have been repeated. */
export interface Creation {
  readonly title: string
  readonly description: string
  /** Its Idempotency-Key; undefined over MCP, which has none. */
  readonly idempotencyKey: string | undefined
  /** The answer, as soon as there is one. */
  answer?: { readonly id: string; readonly version: number } & Readonly<Record<string, unknown>>
}

/** A file that was acknowledged. */
export interface StoredFile {
  readonly id: string
  readonly sha256: string
}

/** What clients were told is stored, and what they do not know. */
export class Ledger {
  /** Every call that creates an ideation and was not refused, by its title, which no other has. */
  readonly creations = new Map<string, Creation>()
  /** The last acknowledged version of each ideation that was edited. */
  readonly versions = new Map<string, number>()
  readonly files: StoredFile[] = []
  /** How many writes were acknowledged. */
  acknowledged = 0
  /** How many writes were refused by a server that went on: nothing of them may be relied on. */
  refused = 0
}
