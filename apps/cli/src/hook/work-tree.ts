/**
 * What can be found out about a work tree without starting Git: only `.git` and the files it leads to are read (harness
 * 3.1).
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { sha256 } from './sha256.ts'

/** The work tree of a folder. */
export interface WorkTree {
  readonly root: string
  readonly gitDir: string
  readonly commonDir: string
}

/** Maximum number of bytes of a Git file that are read. */
const maxBytes = 4 << 20

function read(file: string): string | undefined {
  try {
    return statSync(file).size > maxBytes ? undefined : readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The work tree that a folder is in. */
export function workTreeOf(folder: string): WorkTree | undefined {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const dot = join(root, '.git')
    const stats = statSync(dot, { throwIfNoEntry: false })
    if (stats?.isDirectory()) return { root, gitDir: dot, commonDir: dot }
    if (stats?.isFile()) {
      const [, to] = /^gitdir: (.+)/.exec(read(dot) ?? '') ?? []
      if (to === undefined) return undefined
      const gitDir = resolve(root, to.trim())
      const common = read(join(gitDir, 'commondir'))?.trim()
      return { root, gitDir, commonDir: common === undefined ? gitDir : resolve(gitDir, common) }
    }
    if (dirname(root) === root) return undefined
  }
}

/** Branch, head commit, address and name of a work tree; unknown ones are left out. */
export function factsOf(tree: WorkTree) {
  const head = read(join(tree.gitDir, 'HEAD'))?.trim() ?? ''
  const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? []
  const commit = ref === undefined ? head : ref.includes('..') ? undefined : commitOf(tree, ref)
  const repository = addressIn(read(join(tree.commonDir, 'config')) ?? '')
  return {
    ...(ref?.startsWith('refs/heads/') && ref.length < 250 && { branch: ref.slice('refs/heads/'.length) }),
    ...(commit !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit) && { commit }),
    ...(repository !== undefined && { repository }),
    worktree: { hash: sha256(tree.root), name: basename(tree.root).slice(0, 255) },
  }
}

function commitOf({ gitDir, commonDir }: WorkTree, ref: string): string | undefined {
  for (const folder of [gitDir, commonDir]) {
    const loose = read(join(folder, ref))
    if (loose !== undefined) return loose.trim()
  }
  const packed = read(join(commonDir, 'packed-refs')) ?? ''
  return packed
    .split('\n')
    .find(line => line.endsWith(` ${ref}`))
    ?.split(' ')[0]
}

/** The address of the remote `origin`, otherwise of the first one, without its user. */
export function addressIn(config: string): string | undefined {
  let remote: string | undefined
  const addresses = new Map<string, string>()
  for (const line of config.split('\n')) {
    const [, section] = /^\[(.*)\]$/.exec(line.trim()) ?? []
    if (section !== undefined) remote = /^remote "(.+)"$/.exec(section)?.[1]
    const [, url] = /^url ?= ?(\S.*)$/.exec(line.trim()) ?? []
    if (remote !== undefined && url !== undefined && !addresses.has(remote)) addresses.set(remote, url)
  }
  const address = addresses.get('origin') ?? [...addresses.values()][0]
  return address === undefined ? undefined : withoutUser(address)
}

function withoutUser(address: string): string | undefined {
  if (!address.includes('://')) {
    // `git@host:path`; a local folder is not reported.
    const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):([^\s:]+)$/.exec(address) ?? []
    return host === undefined || host.length === 1 ? undefined : `${host}:${path}`
  }
  const url = URL.parse(address)
  if (url === null || !['https:', 'http:', 'ssh:', 'git:'].includes(url.protocol)) return undefined
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  return url.href
}

/** Files relative to the root of a work tree; those outside it are left out. */
export function pathsIn(tree: WorkTree, cwd: string, files: readonly string[]): string[] {
  const inside = (root: string, file: string) => {
    const path = relative(root, file).split(sep).join('/')
    return path === '' || path === '..' || path.startsWith('../') || isAbsolute(path) ? undefined : path
  }
  const paths = files.flatMap(file => {
    const absolute = resolve(cwd, file)
    return (
      inside(tree.root, absolute) ?? inside(real(tree.root), join(real(dirname(absolute)), basename(absolute))) ?? []
    )
  })
  return [...new Set(paths)].filter(path => path.length <= 1_000 && !path.startsWith('.git/')).slice(0, 100)
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
