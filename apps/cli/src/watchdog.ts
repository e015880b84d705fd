/** How often a small operation is run, ms. */
const everyMs = 5_000

/** Failures in a row after which the process ends. */
const maxFailures = 3

/** What a watchdog watches. */
interface WatchTarget {
  /** Runs a small operation; returns the unexpected error, if any. */
  readonly selfTest: () => Promise<unknown>
  /** Called once when every operation fails, with the reason of the last failure. */
  readonly onFailing: (cause: unknown) => void
}

/**
 * Runs a small operation again and again. If it fails three times in a row with an unexpected error (a refusal does not
 * count), operations fail for everybody until the process is restarted (walls 2).
 * @returns stops it
 */
export function watchOperations({ selfTest, onFailing }: WatchTarget): () => void {
  let failures = 0
  let isEnded = false
  const look = async () => {
    const cause = await selfTest()
    if (isEnded) return
    failures = cause === undefined ? 0 : failures + 1
    if (failures === maxFailures) return onFailing(cause)
    timer = setTimeout(look, everyMs).unref()
  }
  let timer = setTimeout(look, everyMs).unref()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

/** Exits the process with one line that names the cause: its supervisor restarts it. */
export function endFailing(cause: unknown): never {
  const says = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  console.error(`specboard: every operation fails (${says}). The process exits, to be restarted.`)
  process.exit(1)
}
