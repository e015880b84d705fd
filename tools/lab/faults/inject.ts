import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { databaseFile } from '@specboard/storage'
import { isAlive } from '../harness/service.ts'
import type { FaultKind } from './kinds.ts'

/** Whether faults can be injected here. */
export const hasStrace = (): boolean => spawnSync('strace', ['-V']).status === 0

/** Why no fault can be injected here; undefined where it can. */
export const withoutStrace = (): string | undefined => (hasStrace() ? undefined : 'strace is not installed')

/** How a call of a kind fails: with an I/O error, at the n-th call of a thread. */
export interface Fault {
  readonly kind: FaultKind
  readonly nth: number
  /** The data folder. */
  readonly folder: string
  /** The log file of strace. */
  readonly trace: string
}

/** The command that runs a process under strace and lets its calls fail; the process stays a child of ours. */
export const tracerOf = (fault: Fault): readonly string[] => ['strace', '-D', '-f', '-qq', ...injection(fault)]

/**
 * Makes calls of a running process fail. SQLite runs on its main thread, attachments on those of libuv.
 * @returns the function that ends it
 */
export async function inject(process: ChildProcess, fault: Fault): Promise<() => Promise<void>> {
  const threads = fault.kind.of === 'database' ? [process.pid!] : fileThreads(process.pid!)
  const attached = threads.flatMap(thread => ['-p', String(thread)])
  const strace = spawn('strace', [...injection(fault), ...attached], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise<void>(resolve => strace.once('exit', () => resolve()))
  let remaining = threads.length
  for await (const line of createInterface({ input: strace.stderr })) {
    if (line.includes('attached') && --remaining === 0) break
  }
  return async () => {
    if (isAlive(strace)) strace.kill('SIGTERM')
    await exited
  }
}

/** How many calls failed. */
export const hasFailed = ({ trace }: Fault): number =>
  existsSync(trace) ? readFileSync(trace, 'utf8').split('(INJECTED)').length - 1 : 0

function injection({ kind, nth, folder, trace }: Fault): string[] {
  const database = databaseFile(folder)
  const files = ['', '-wal', '-shm', '-journal'].flatMap(suffix => ['-P', database + suffix])
  const calls = kind.calls.join(',')
  return [
    ...['-o', trace, '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO:when=${nth}`],
    ...(kind.of === 'database' ? files : []),
  ]
}

/** The threads on which libuv opens, writes and syncs files. */
function fileThreads(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks)
    .filter(thread => readFileSync(`${tasks}/${thread}/comm`, 'utf8').startsWith('libuv-worker'))
    .map(Number)
}
