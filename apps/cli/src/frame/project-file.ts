/** The file that says which service and board a project belongs to; it contains no key. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from './usage-error.ts'

export const projectFileName = '.specboard.json'

/** The contents of a project file. */
export interface ProjectFile {
  readonly url: string
  readonly board?: string | undefined
  /** The profile whose saved key is used (harness 1). */
  readonly profile?: string | undefined
  /** Options of hooks: events that are turned off, which output is sent, further test runs (harness 3.1). */
  readonly hooks?: Readonly<Record<string, unknown>> | undefined
}

/** A project file, and where it is. */
export interface FoundProject extends ProjectFile {
  readonly folder: string
}

/**
 * The project file of a folder, or of the nearest one above it; undefined when there is none.
 * @throws UsageError for a file that cannot be read
 */
export function projectAbove(folder: string): FoundProject | undefined {
  const file = join(folder, projectFileName)
  const text = textOf(file)
  if (text === undefined) return dirname(folder) === folder ? undefined : projectAbove(dirname(folder))
  const project = parsed(text)
  if (project === undefined)
    throw new UsageError(
      `${file} must hold {"url": "http://…", "board": "…"}. Fix it, or let "specboard init" write it.`,
    )
  return { ...project, folder }
}

/** The text of a file; undefined if it does not exist, null if it cannot be read. */
function textOf(file: string): string | null | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code)) ? undefined : null
  }
}

function parsed(text: string | null): ProjectFile | undefined {
  let value: unknown
  try {
    value = JSON.parse(text ?? '')
  } catch {
    return undefined
  }
  if (!isObject(value) || typeof value.url !== 'string' || !isWebAddress(value.url)) return undefined
  const { url, board, profile, hooks } = value
  if (![board, profile].every(text => text === undefined || typeof text === 'string')) return undefined
  return {
    url,
    board: board as string | undefined,
    profile: profile as string | undefined,
    hooks: isObject(hooks) ? hooks : undefined,
  }
}

/** Whether a text is the address of a service: http or https, without a user. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
