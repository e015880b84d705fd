import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folders of the service itself, without the HTTP client. */
const isOwn = (path: string): boolean =>
  /^(?:packages|apps)\/[^/]+\/src\//.test(path) && !path.startsWith('packages/client/')

/** The number of rounds: unrelated work, such as that of a timer, does not happen in every one. */
const rounds = 8

/** Finds the source files of the service whose code runs while this process does something. */
export class WalkedFiles {
  readonly #session = new Session()

  /** Begins to count; code that was compiled earlier is counted too. */
  static async begin(): Promise<WalkedFiles> {
    const files = new WalkedFiles()
    files.#session.connect()
    await files.#session.post('Profiler.enable')
    await files.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    return files
  }

  /** The files whose code runs in every round, by their paths in the repository. */
  async of(run: () => Promise<unknown>): Promise<readonly string[]> {
    await run()
    let every: ReadonlySet<string> | undefined
    for (let round = 0; round < rounds; round++) {
      await this.#taken()
      await run()
      const files = await this.#taken()
      every = every?.intersection(files) ?? files
    }
    return [...every!].toSorted()
  }

  /** Ends the counting. */
  end(): void {
    this.#session.disconnect()
  }

  async #taken(): Promise<Set<string>> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    const called = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    )
    const paths = called.flatMap(({ url }) => (url.startsWith('file:') ? [relative(root, fileURLToPath(url))] : []))
    return new Set(paths.filter(isOwn))
  }
}
