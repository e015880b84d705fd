import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@specboard/client'

/** The flags of `pnpm start`: without a limit, the engine lets the young generation alone grow past 60 MiB. */
const nodeFlags = ['--max-semi-space-size=4', '--min-semi-space-size=4', '--v8-pool-size=1']

/**
 * The command line that is started: the clone's, unless `SPECBOARD_MAIN` names that of an installed package, or a whole
 * run of the tests has made one, which starts in half the time.
 */
export const mainFile = (): string =>
  process.env.SPECBOARD_MAIN ??
  process.env.SPECBOARD_TEST_MAIN ??
  fileURLToPath(new URL('../../../apps/cli/src/main.js', import.meta.url))

/** How often the memory of a process is looked at, ms. */
const lookMs = 50

/** A tick of the kernel's clock of processes, ms. */
const tickMs = 10

/** The resources that a process used. */
export interface Measurement<Value> {
  readonly value: Value
  readonly ms: number
  /** Processor time of the process in all of its threads, ms: other work on the machine changes it little. */
  readonly processorMs: number
  /** Its memory before, and its peak, MiB. */
  readonly before: number
  readonly most: number
}

/** A server in its own process. */
export class Service {
  readonly url: string
  readonly child: ChildProcess
  /** The owner's key; undefined if the start did not print it because the database was not new. */
  readonly key: string | undefined
  #client: Client | undefined

  constructor(url: string, child: ChildProcess, key: string | undefined) {
    this.url = url
    this.child = child
    this.key = key
  }

  /** A client with the owner's key. */
  get client(): Client {
    this.#client ??= createClient({ url: this.url, key: this.key! })
    return this.#client
  }

  /** The same service with a key that an earlier start printed. */
  withKey(key: string): Service {
    return new Service(this.url, this.child, key)
  }

  /** The headers of a request with the owner's key and a body of JSON. */
  get headers(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' }
  }

  /** Asks it to stop and waits until it has. */
  async stop(): Promise<void> {
    await ended(this.child, 'SIGTERM')
  }

  /** Kills it and waits until it is gone. */
  async kill(): Promise<void> {
    await killed(this.child)
  }

  get isAlive(): boolean {
    return isAlive(this.child)
  }

  /** The resident memory, MiB. */
  get residentMiB(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }

  /** The processor time of all its threads so far, in steps of 10 ms. */
  get processorMs(): number {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  }

  get handles(): number {
    return readdirSync(`/proc/${this.child.pid}/fd`).length
  }

  get threads(): number {
    return readdirSync(`/proc/${this.child.pid}/task`).length
  }

  /** Runs a function, and measures the resources that this process uses for it. */
  async taken<Value>(run: () => Promise<Value>): Promise<Measurement<Value>> {
    const before = this.residentMiB
    let most = before
    const looking = setInterval(() => {
      most = Math.max(most, this.residentMiB)
    }, lookMs)
    const processor = this.processorMs
    const started = performance.now()
    try {
      const value = await run()
      return { value, ms: performance.now() - started, processorMs: this.processorMs - processor, before, most }
    } finally {
      clearInterval(looking)
    }
  }
}

/** Starts a service on a free port with a data folder, and waits until it is ready. */
export async function startService(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  tracer: readonly string[] = [],
): Promise<Service> {
  const child = launchService(folder, environment, tracer)
  let key: string | undefined
  for await (const line of createInterface({ input: child.stdout! })) {
    key ??= /^API key: (\S+)/.exec(line)?.[1]
    const url = /serves on (http:\S+)/.exec(line)?.[1]
    if (url !== undefined) return new Service(url, child, key)
  }
  throw new Error('The server ended before it was ready.')
}

/**
 * Starts a service without waiting until it is ready, on a free port unless the environment names one.
 * @param tracer a command that runs it, with its arguments
 */
export function launchService(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  tracer: readonly string[] = [],
): ChildProcess {
  const { SPECBOARD_LOG_LEVEL: logLevel = 'warn', SPECBOARD_PORT: port = '0' } = environment
  const serve = ['serve', '--port', port, '--data-dir', folder, '--log-level', logLevel]
  const [command, ...args] = [...tracer, process.execPath, ...nodeFlags, mainFile(), ...serve]
  // To the service, the variable that chooses it would be a misspelt setting.
  const env = { ...process.env, SPECBOARD_MAIN: undefined, ...environment }
  return spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
}

/** Starts a command of Specboard other than `serve`. */
export const launchCommand = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [mainFile(), ...args], { stdio: ['ignore', 'ignore', 'inherit'] })

/** Starts a script of the folder `load` that prints the port it listens on. */
export async function startScript(script: string, ...args: readonly string[]): Promise<Service> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../load/${script}`, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout! }))
    return new Service(`http://127.0.0.1:${line.trim()}`, child, undefined)
  throw new Error(`${script} ended before it was ready.`)
}

/**
 * Waits until a command has done its work.
 * @throws Error if it ended with another code than 0
 */
export async function succeeded(child: ChildProcess): Promise<void> {
  const code = await new Promise(resolve => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}.`)
}

/** Whether a process has not ended yet. */
export const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/** Kills a process with SIGKILL and waits until it is gone. */
export const killed = (child: ChildProcess): Promise<void> => ended(child, 'SIGKILL')

/** Kills a process after some milliseconds; false when it had ended before. */
export async function killedAfter(child: ChildProcess, ms: number): Promise<boolean> {
  const over = new Promise<void>(resolve => child.once('exit', () => resolve()))
  await Promise.race([over, pause(ms)])
  await killed(child)
  return child.signalCode === 'SIGKILL'
}

function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!isAlive(child)) return Promise.resolve()
  return new Promise(resolve => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}
