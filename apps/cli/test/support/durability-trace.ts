/** What a trace shows about answers and syncs. */
export interface TraceFindings {
  /** 201 answers that were sent. */
  readonly answers: number
  /** Answers that were sent while the WAL had unsynced writes. */
  readonly early: number
  readonly syncs: number
}

/**
 * Reads an `strace -f -y` of a server from top to bottom: a write to the WAL makes it dirty, a finished sync of
 * the WAL makes it clean, and a 201 sent while it is dirty is early. When strace splits a call, a write counts at
 * its start and a sync at its end.
 */
export function earlyAnswers(trace: string): TraceFindings {
  const syncing = new Set<string>()
  let dirty = false
  let answers = 0
  let early = 0
  let syncs = 0
  for (const line of trace.split('\n')) {
    const thread = line.split(' ', 1)[0]!
    if (/\bpwrite64\(\d+<[^>]*-wal>/.test(line)) dirty = true
    const isSync = /\bf(?:data)?sync\(\d+<[^>]*-wal>/.test(line)
    if (isSync && line.includes('<unfinished')) syncing.add(thread)
    const finished =
      (isSync && / = 0$/.test(line)) || (syncing.has(thread) && /f(?:data)?sync resumed>.* = 0$/.test(line))
    if (finished) {
      syncing.delete(thread)
      syncs++
      dirty = false
    }
    if (/\b(?:write|writev|sendto)\(\d+<(?:TCP|socket)[^>]*>.*HTTP\/1\.1 201/.test(line)) {
      answers++
      if (dirty) early++
    }
  }
  return { answers, early, syncs }
}
