/** How often a small operation is tried, ms. */
const everyMs = 5_000

/** Failures in a row after which the process ends. */
const mostFailures = 3

/** What a watchdog looks at. */
interface Watched {
  /** Runs a small operation; what went wrong unexpectedly, if anything. */
  readonly selfTest: () => Promise<unknown>
  /** Told once that every operation fails, and why the last one did. */
  readonly onFailing: (cause: unknown) => void
}

/**
 * Tries a small operation again and again. Where it fails three times in a row, not refused but with an error that nobody
 * foresaw, operations fail for everybody until the process is started anew (walls 2).
 * @returns ends it
 */
export function watchOperations({ selfTest, onFailing }: Watched): () => void {
  let failures = 0
  let isEnded = false
  const look = async () => {
    const cause = await selfTest()
    if (isEnded) return
    failures = cause === undefined ? 0 : failures + 1
    if (failures === mostFailures) return onFailing(cause)
    timer = setTimeout(look, everyMs).unref()
  }
  let timer = setTimeout(look, everyMs).unref()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

/** Ends the process with one line that names the cause: whoever started it starts it anew. */
export function endFailing(cause: unknown): never {
  const says = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  console.error(`specboard: every operation fails (${says}). The process ends, to be started anew.`)
  process.exit(1)
}
