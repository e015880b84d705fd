import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { commandLine, sourceCommandLine } from './command-line.ts'
import { runWarm } from './warm-commands.ts'

/** The output of a finished command. */
export interface Finished {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** The surroundings in which a command runs. */
export interface Surroundings {
  /** Variables of the environment, besides those that the tests have. */
  readonly variables?: Readonly<Record<string, string>>
  /** The working directory. */
  readonly folder?: string
  /** What it reads from standard input. */
  readonly input?: string
  /** Whether it is started from the sources; by default from the package. */
  readonly fromSources?: boolean
}

/** The environment of a command: without the settings and saved keys of whoever runs the tests. */
function environment(variables: Surroundings['variables']): Record<string, string | undefined> {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('SPECBOARD_'))
  return { ...Object.fromEntries(clean), SPECBOARD_CONFIG_DIR: join(tmpdir(), 'specboard-no-keys'), ...variables }
}

/** Starts the command line with the umask of most systems, under which everybody can read files. */
function spawned(
  args: readonly string[],
  { variables = {}, folder, input, fromSources }: Surroundings = {},
): ChildProcess {
  const { command, args: all } = (fromSources ? sourceCommandLine : commandLine)(...args)
  const stdin = input === undefined ? 'ignore' : 'pipe'
  const child = spawn('sh', ['-c', 'umask 022; exec "$0" "$@"', command, ...all], {
    env: environment(variables),
    cwd: folder,
    stdio: [stdin, 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  return child
}

function finished(child: ChildProcess): Promise<Finished> {
  let output = ''
  let errors = ''
  child.stdout!.on('data', chunk => {
    output += chunk
  })
  child.stderr!.on('data', chunk => {
    errors += chunk
  })
  return new Promise(resolve => child.once('close', code => resolve({ code, output, errors })))
}

/** Starts a command, to be ended by the test. */
export function startCommand(around: Surroundings, ...args: readonly string[]) {
  const child = spawned(args, around)
  return { child, ended: finished(child) }
}

/** Runs a command of the command line to its end. */
export const runCommand = (...args: readonly string[]): Promise<Finished> => runCommandIn({}, ...args)

/**
 * Runs a command in given surroundings: in a warm process, unless it reads standard input or is started from the
 * sources.
 */
export async function runCommandIn(around: Surroundings, ...args: readonly string[]): Promise<Finished> {
  if (around.input !== undefined || around.fromSources) return finished(spawned(args, around))
  const [main, ...rest] = commandLine(...args).args
  const { variables, folder = process.cwd() } = around
  return runWarm({ main: main!, args: rest, environment: environment(variables), folder })
}

/** `specboard serve` as a process of its own, on a free port. */
export class ServerProcess {
  readonly url: string
  /** The owner's key, at the first start only. */
  readonly key: string | undefined
  /** What it said, once it has ended. */
  readonly ended: Promise<Finished>
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string, key: string | undefined, ended: Promise<Finished>) {
    this.#child = child
    this.url = url
    this.key = key
    this.ended = ended
  }

  /**
   * Starts a server on a data folder.
   * @param variables additional variables in its environment
   * @throws Error with its output if it ends before it listens
   */
  static async start(
    dataDir: string,
    logLevel = 'silent',
    variables: Readonly<Record<string, string>> = {},
    fromSources = false,
  ): Promise<ServerProcess> {
    const child = spawned(['serve', '--port', '0', '--data-dir', dataDir, '--log-level', logLevel], {
      variables,
      fromSources,
    })
    const ended = finished(child)
    let key: string | undefined
    for await (const line of createInterface({ input: child.stdout! })) {
      key = /^API key: (\S+)/.exec(line)?.[1] ?? key
      const url = /serves on (http:\S+)/.exec(line)?.[1]
      if (url !== undefined) return new ServerProcess(child, url, key, ended)
    }
    throw new Error((await ended).errors)
  }

  /** The id of its process. */
  get pid(): number {
    return this.#child.pid!
  }

  /** Ends it with a signal and returns its output. */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    this.#child.kill(signal)
    return this.ended
  }
}
