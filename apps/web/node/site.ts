import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packedFolder } from './packed.ts'
import { board, buildFolder, type Pages } from './sources.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.tsv': 'text/tab-separated-values; charset=utf-8',
}

interface SiteFile {
  readonly type: string
  read(): Promise<Uint8Array<ArrayBuffer>>
  readGzipped?(): Promise<Uint8Array<ArrayBuffer>>
}

interface BuiltSite {
  readonly hash: string
  readonly files: ReadonlyMap<string, SiteFile>
}

/** The pages, while they are being built and afterwards. */
export interface OpenedSite {
  built(): BuiltSite | undefined
  fault(): string | undefined
  /** Finds the build of these sources or creates it; settles when it can be served, or has failed. */
  open(): Promise<void>
  /** Stops a build that is under way. */
  close(): void
}

/**
 * Pages of the service. They are built in a separate process, which frees its memory (400 MB) afterwards, so that the
 * service keeps answering.
 * @param onFault called with the reason why the pages could not be built
 */
export function openSite(pages: Pages, onFault: (fault: string) => void): OpenedSite {
  let built: BuiltSite | undefined
  let fault: string | undefined
  let child: ChildProcess | undefined
  let isClosed = false

  async function open(): Promise<void> {
    const folder = (await packedFolder(pages.name)) ?? (await buildFolder(pages))
    if (!existsSync(folder)) await build(folder)
    built = { hash: basename(folder), files: await filesOf(folder) }
  }

  function build(folder: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (isClosed) throw new Error('closed')
    const script = fileURLToPath(new URL(pages.script, import.meta.url))
    // Even if this process runs in another environment, the pages are built for production.
    const env = { ...process.env, NODE_ENV: 'production' }
    child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'ignore', 'pipe'], env })
    let output = ''
    // Register this first: a process that could not start for lack of file handles has no streams, only this event.
    child.once('error', reject)
    child.stderr?.on('data', chunk => {
      output = `${output}${chunk}`.slice(-4_000)
    })
    child.once('close', code =>
      code === 0 ? resolve() : reject(new Error(output.trim() || `ended with code ${code}`)),
    )
    return promise
  }

  return {
    built: () => built,
    fault: () => fault,
    open: () =>
      open().catch(error => {
        if (isClosed) return
        fault = error instanceof Error ? error.message : String(error)
        onFault(fault)
      }),
    close: () => {
      isClosed = true
      child?.kill()
    },
  }
}

/**
 * Pages of the service, once they are built.
 * @throws Error with the reason why they could not be built
 */
export async function builtSite(pages: Pages = board): Promise<OpenedSite> {
  const site = openSite(pages, fault => {
    throw new Error(fault)
  })
  await site.open()
  return site
}

async function filesOf(folder: string): Promise<Map<string, SiteFile>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const compressed = new Set(paths.filter(path => extname(path) === '.gz'))
  return new Map(
    paths
      .filter(path => extname(path) !== '.gz')
      .map(path => [
        path.slice(folder.length).replaceAll('\\', '/'),
        {
          type: types[extname(path)] ?? 'application/octet-stream',
          read: () => readFile(path),
          ...(compressed.has(`${path}.gz`) && { readGzipped: () => readFile(`${path}.gz`) }),
        },
      ]),
  )
}
