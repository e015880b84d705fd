import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Milliseconds of a tick of the kernel's clock of processes. */
const msOfATick = 10

/** The processor time that a process has taken with all of its threads, ms, to the next 10. */
export function processorMs({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * msOfATick
}
