/** The facts in the detail of a closed gate, ready to be put into words. */
export interface GateFacts {
  /** The status of the blocking record, and the requested or required one, in words. */
  readonly status: string | undefined
  readonly target: string | undefined
  /** The number of missing things. */
  readonly count: number
  /** The people and agents involved, such as the one who rejected it, holds the card, or works on the same files. */
  readonly names: readonly string[]
  /** The part of the gate that is closed. */
  readonly gate: string | undefined
  /** The proof that is required, in words. */
  readonly tier: string | undefined
  readonly average: number
  readonly threshold: number
  /** The maximum number allowed. */
  readonly limit: number | undefined
  /** The number of failed attempts. */
  readonly used: number
}
