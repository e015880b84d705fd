/** What the detail of a closed gate says as data, ready for the words of the page. */
export interface GateFacts {
  /** The status of the record that is in the way, and the one that was asked for or is needed, in words. */
  readonly status: string | undefined
  readonly wanted: string | undefined
  /** How many things are missing. */
  readonly count: number
  /** Who stands behind it: who rejected it, who holds the card or works on the same files. */
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
