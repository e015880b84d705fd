/** The facts in the detail of a closed gate, ready to be put into words. */
export interface GateFacts {
  /** The status of the blocking record, and the requested or required one, in words. */
  readonly status: string | undefined
  readonly wanted: string | undefined
  /** How many things are missing. */
  readonly count: number
  /** Who is involved: who rejected it, who holds the card or works on the same files. */
  readonly names: readonly string[]
  /** The part of the gate that is closed. */
  readonly gate: string | undefined
  /** The proof that is required, in words. */
  readonly tier: string | undefined
  readonly average: number
  readonly threshold: number
  /** How many there may be. */
  readonly limit: number | undefined
  /** How many attempts have failed. */
  readonly used: number
}
