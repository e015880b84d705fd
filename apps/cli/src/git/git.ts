/** Runs Git in a repository. */
import { execFile, spawn } from 'node:child_process'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../frame/failure.ts'

const run = promisify(execFile)

/** Maximum output of one Git command, bytes. */
const maxBytes = 512 << 20

/** The location of a repository. */
export interface RepositoryLocation {
  /** Shared by all work trees. */
  readonly commonDir: string
  /** Of this work tree only. */
  readonly gitDir: string
  readonly isShallow: boolean
}

/** Variables set by a Git hook would lead Git to another repository. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))

/** Git in one folder. */
export class Git {
  readonly folder: string
  readonly #env = { ...cleanEnvironment(), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * The output of a command.
   * @throws Error with Git's message
   */
  async text(...args: readonly string[]): Promise<string> {
    const options = { cwd: this.folder, env: this.#env, maxBuffer: maxBytes }
    const { stdout } = await run('git', ['-c', 'core.quotePath=false', ...args], options)
    return stdout
  }

  /** The output of a command, without the end of its last line; undefined if it fails. */
  async line(...args: readonly string[]): Promise<string | undefined> {
    try {
      return (await this.text(...args)).trimEnd()
    } catch {
      return undefined
    }
  }

  /** The exit code of a command. */
  async code(...args: readonly string[]): Promise<number> {
    const options = { cwd: this.folder, env: this.#env, stdio: 'ignore' as const }
    return new Promise(resolve =>
      spawn('git', args, options)
        .once('error', () => resolve(-1))
        .once('close', code => resolve(code ?? -1)),
    )
  }

  /** The output of a command that reads the output of another one. */
  piped(from: readonly string[], to: readonly string[]): Promise<string> {
    const options = { cwd: this.folder, env: this.#env }
    const writer = spawn('git', from, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
    const reader = spawn('git', to, { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
    // A reader that ends first is reported by its own exit.
    reader.stdin.on('error', () => {})
    writer.stdout.pipe(reader.stdin)
    let text = ''
    reader.stdout.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    return new Promise((resolve, reject) => {
      for (const child of [writer, reader]) child.once('error', reject)
      reader.once('close', () => resolve(text))
    })
  }

  /**
   * The location of the folder's repository.
   * @throws Failure if the folder is in none
   */
  async place(): Promise<RepositoryLocation> {
    const output = await this.line('rev-parse', '--git-common-dir', '--git-dir', '--is-shallow-repository')
    if (output === undefined)
      throw new Failure('NO_REPOSITORY', `${this.folder} is in no git repository. Name one with --repo.`)
    const [commonDir, gitDir, shallow] = output.split('\n') as [string, string, string]
    const absolute = (path: string) => (isAbsolute(path) ? path : join(this.folder, path))
    return { commonDir: absolute(commonDir), gitDir: absolute(gitDir), isShallow: shallow === 'true' }
  }
}
