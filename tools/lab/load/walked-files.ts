import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folders of the service itself; the client of HTTP only asks it. */
const isOwn = (path: string): boolean =>
  /^(?:packages|apps)\/[^/]+\/src\//.test(path) && !path.startsWith('packages/client/')

/** How often something is done: work that only happens beside it, such as that of a timer, is not in every round. */
const rounds = 8

/** Tells which source files of the service run code while this process does something. */
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

  /** The files that something runs each time it is done, by their paths in the repository. */
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
