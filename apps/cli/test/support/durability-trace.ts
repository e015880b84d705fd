/** What a trace says of answers and syncs. */
export interface TraceFindings {
  /** 201 answers that left. */
  readonly answers: number
  /** Answers that left while the WAL held what no sync covered. */
  readonly early: number
  readonly syncs: number
}

/**
 * Reads an `strace -f -y` of a server, in the order of the file: a write to the WAL makes it dirty, a
 * finished sync of the WAL clears it, a 201 that leaves while it is dirty is early. A call that strace split
 * counts as a write at its start and as a sync at its end.
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
