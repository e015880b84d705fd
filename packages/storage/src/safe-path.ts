import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

declare const judged: unique symbol

/** A checked part of a path: an id, a hash, or a plain file name (walls 1). */
export type PathPart = string & { readonly [judged]: true }

/** Not a valid part of a path: the service stores nothing there. */
export class UnsafePath extends Error {
  constructor(source: string) {
    super(`The service builds no path from ${source}.`)
    this.name = 'UnsafePath'
  }
}

const forms = {
  id: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  digest: /^[0-9a-f]{64}$/,
  /** No folder, no hidden file, nothing that a system interprets. */
  name: /^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/,
} as const

/** Whether a text has the form of the service's own ids: a UUID in lower case, of any version (walls 1). */
export const isId = (text: string): boolean => forms.id.test(text)

const isPart = (kind: keyof typeof forms, text: string): text is PathPart => forms[kind].test(text)

function partOf(kind: keyof typeof forms, text: string): PathPart {
  if (!isPart(kind, text)) throw new UnsafePath(`${JSON.stringify(text.slice(0, 100))}, which is not a valid ${kind}`)
  return text
}

/**
 * The parts that paths are made of.
 * @throws UnsafePath for any other text
 */
export const pathPart = {
  /** A UUID in lower case. */
  id: (text: string): PathPart => partOf('id', text),
  /** A SHA-256 in lower-case hex. */
  digest: (text: string): PathPart => partOf('digest', text),
  /** The name of a file: letters and digits of ASCII, `.`, `_` and `-`, up to 255, not beginning with `.` or `-`. */
  name: (text: string): PathPart => partOf('name', text),
} as const

/** The key of an object in a store: its parts with slashes between them, on every system. */
export const objectKey = (...parts: readonly PathPart[]): string => parts.join('/')

/**
 * The path of a file or folder under a root.
 * @throws UnsafePath if links lead out of the root
 */
export function pathUnder(root: string, ...parts: readonly PathPart[]): string {
  const path = join(root, ...parts)
  if (realPathUnder(root, path) === undefined) throw new UnsafePath(`${path}: it leads out of ${root}`)
  return path
}

/**
 * Where a path leads after resolving all links, if that is a root or below it; parts that do not exist yet are kept
 * unchanged.
 */
export function realPathUnder(root: string, path: string): string | undefined {
  const real = realPath(resolve(root, path))
  const within = realPath(resolve(root))
  return real === within || real.startsWith(within.endsWith(sep) ? within : within + sep) ? real : undefined
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!isMissing(error)) throw error
    const parent = dirname(path)
    if (parent === path) return path
    const at = join(realPath(parent), basename(path))
    const leads = linkAt(at)
    return leads === undefined ? at : realPath(resolve(dirname(at), leads))
  }
}

/** Where a dangling link leads; undefined for anything that is not a link. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'EINVAL')) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT')
