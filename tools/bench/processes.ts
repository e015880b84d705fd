import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** The owner's key that it printed at a first start. */
  readonly key: string | undefined
  /** Asks it to stop and waits until it has. */
  stop(): Promise<void>
}

/** The flags of `pnpm start`: without a limit, the engine lets the young generation alone grow past 60 MiB. */
const nodeFlags = ['--max-semi-space-size=4']

/** The command line that is started: the clone's, unless `SPECBOARD_MAIN` names that of an installed package. */
export const mainFile =
  process.env.SPECBOARD_MAIN ?? fileURLToPath(new URL('../../apps/cli/src/main.js', import.meta.url))

/** Starts the product on a free port with a data folder. */
export async function startProduct(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  tracer: readonly string[] = [],
): Promise<ServerProcess> {
  const child = launchProduct(folder, environment, tracer)
  let key: string | undefined
  for await (const line of createInterface({ input: child.stdout! })) {
    key ??= /^API key: (\S+)/.exec(line)?.[1]
    const url = /serves on (http:\S+)/.exec(line)?.[1]
    if (url !== undefined) return { url, child, key, stop: () => stop(child) }
  }
  throw new Error('The server ended before it was ready.')
}

/**
 * Starts the product without waiting until it is ready.
 * @param tracer a command that runs it, with its arguments
 */
export function launchProduct(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  tracer: readonly string[] = [],
): ChildProcess {
  const product = [process.execPath, ...nodeFlags, mainFile]
  const { SPECBOARD_LOG_LEVEL: logLevel = 'warn' } = environment
  const serve = ['serve', '--port', '0', '--data-dir', folder, '--log-level', logLevel]
  const [command, ...args] = [...tracer, ...product, ...serve]
  return spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } })
}

/** Starts a command of the product other than `serve`. */
export const launchCommand = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [mainFile, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })

/**
 * Waits until a command has done its work.
 * @throws Error if it ended with another code than 0
 */
export async function succeeded(child: ChildProcess): Promise<void> {
  const code = await new Promise(resolve => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}.`)
}

/** Starts a script that prints the port it listens on. */
export async function startScript(script: string, args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout! })) {
    return { url: `http://127.0.0.1:${line.trim()}`, child, key: undefined, stop: () => stop(child) }
  }
  throw new Error(`${script} ended before it was ready.`)
}

/** Whether a process has not ended yet. */
export const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

function stop(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return Promise.resolve()
  return new Promise(resolve => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** Kills a process with SIGKILL and waits until it is gone. */
export function killed(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return Promise.resolve()
  return new Promise(resolve => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Kills a server with SIGKILL after some milliseconds and waits until it is gone. */
export async function killAfter(ms: number, { child }: ServerProcess): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
  await killed(child)
}

/** The resident memory of a process, MiB. */
export function residentMiB(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
