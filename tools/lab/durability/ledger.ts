/** An ideation to be created: one call, which may have been repeated. */
export interface Creation {
  readonly title: string
  readonly description: string
  /** Its Idempotency-Key; undefined over MCP, which has none. */
  readonly idempotencyKey: string | undefined
  /** The response, once there is one. */
  answer?: { readonly id: string; readonly version: number } & Readonly<Record<string, unknown>>
}

/** An acknowledged file. */
export interface StoredFile {
  readonly id: string
  readonly sha256: string
}

/** The writes that were acknowledged to clients, and those whose outcome is unknown. */
export class Ledger {
  /** Every call that creates an ideation and was not refused, by its unique title. */
  readonly creations = new Map<string, Creation>()
  /** The last acknowledged version of each ideation that was edited. */
  readonly versions = new Map<string, number>()
  readonly files: StoredFile[] = []
  /** How many writes were acknowledged. */
  acknowledged = 0
  /** The number of writes refused by a server that kept running; nothing is assumed about them. */
  refused = 0
}
