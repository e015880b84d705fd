import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The release that `pnpm fuzz` installs and was tested with. */
export const version = '4.32.5'

/** The checks that every answer must pass, by their names in schemathesis. */
export const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
] as const

/** How cases are made: from the document's examples, at its limits, and at random. */
const phases = ['examples', 'coverage', 'fuzzing']

const hooks = fileURLToPath(new URL('hooks.py', import.meta.url))

/** What a run found. */
export interface Findings {
  readonly stop_reason: string
  readonly complete: boolean
  readonly operations: { readonly selected: number; readonly tested: number } | null
  readonly test_cases: { readonly generated: number; readonly errored: number }
  readonly failures: readonly Failure[]
  readonly errors: readonly { readonly title: string; readonly count: number }[]
}

interface Failure {
  readonly title: string
  readonly count: number
  readonly operations: readonly string[]
}

/** One run: the address, the key, the source of arguments, the number of cases and the seed. */
export interface FuzzRun {
  readonly url: string
  readonly key: string
  readonly argumentsUrl: string
  readonly casesPerOperation: number
  readonly seed: number
}

/** Whether there is a Python that can make virtual environments. */
export const hasPython = (): boolean =>
  spawnSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))']).status === 0

/** Schemathesis in a virtual environment of its own, and everything that it writes in the same folder. */
export class Schemathesis {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Installs the pinned release below a folder. */
  static async in(folder: string): Promise<Schemathesis> {
    const environment = join(folder, 'venv')
    await ended('python3', ['-m', 'venv', environment])
    await ended(join(environment, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${version}`])
    return new Schemathesis(folder)
  }

  /** The file with the full findings of the last run. */
  get log(): string {
    return join(this.#folder, 'schemathesis.log')
  }

  /** Sends cases to every operation of the service's own document. */
  async run({ url, key, argumentsUrl, casesPerOperation, seed }: FuzzRun): Promise<Findings> {
    const report = join(this.#folder, 'report.json')
    const args = [
      ...['run', `${url}/openapi.json`, '--header', `Authorization: Bearer ${key}`],
      ...['--phases', phases.join(','), '--checks', checks.join(',')],
      ...['--max-examples', String(casesPerOperation), '--seed', String(seed), '--continue-on-failure'],
      // Every case uses a valid key: the tests cover wrong ones for every operation.
      ...['--generation-with-security-parameters', 'false', '--generation-database', 'none'],
      ...['--request-timeout', '20', '--no-color', '--report', 'json', '--report-json-path', report],
    ]
    const environment = {
      SCHEMATHESIS_HOOKS: hooks,
      SPECBOARD_FUZZ_ARGUMENTS: argumentsUrl,
      SPECBOARD_FUZZ_SEED: String(seed),
    }
    // Findings end it with status 1; the report exists anyway.
    const program = join(this.#folder, 'venv', 'bin', 'schemathesis')
    await ended(program, args, { environment, folder: this.#folder, log: this.log, mayFind: true })
    return JSON.parse(readFileSync(report, 'utf8')) as Findings
  }
}

/** Runs a program to its end, with its output in a file or on standard error. */
async function ended(
  program: string,
  args: readonly string[],
  options: {
    readonly environment?: NodeJS.ProcessEnv
    readonly folder?: string
    readonly log?: string
    readonly mayFind?: boolean
  } = {},
): Promise<void> {
  const child = spawn(program, args, {
    stdio: ['ignore', options.log === undefined ? process.stderr : 'pipe', 'pipe'],
    cwd: options.folder,
    env: { ...process.env, ...options.environment },
  })
  const output = options.log === undefined ? process.stderr : createWriteStream(options.log)
  child.stdout?.pipe(output, { end: false })
  child.stderr?.pipe(output, { end: false })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (status !== 0 && !(options.mayFind && status === 1)) throw new Error(`${program} ended with ${status}.`)
}
