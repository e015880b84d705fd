import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from './usage-error.ts'

/** The file that says which service and board a project belongs to; it holds no key. */
export const projectFileName = '.specboard.json'

const ProjectFile = z.object({ url: z.url({ protocol: /^https?$/ }), board: z.string().optional() })

/** What a project file says. */
export type ProjectFile = z.output<typeof ProjectFile>

/** The service that a verb talks to. */
export interface Target {
  readonly url: string
  readonly key: string | undefined
  /** The board of the project. */
  readonly board: string | undefined
  /** Whether the address was said by somebody, and is not the default. */
  readonly isNamed: boolean
}

type Variables = Readonly<Record<string, string | undefined>>

const defaultUrl = 'http://127.0.0.1:8100'

/**
 * The service that SPECBOARD_URL and SPECBOARD_API_KEY name, else the project file of a folder or of one above it.
 * @throws UsageError for an address that is none, or a project file that cannot be read
 */
export function targetOf(variables: Variables, folder: string): Target {
  const project = projectAbove(folder)
  const named = variables.SPECBOARD_URL || project?.url
  if (named !== undefined && !URL.canParse(named))
    throw new UsageError(`SPECBOARD_URL must be an address such as ${defaultUrl}, not "${named}".`)
  const key = variables.SPECBOARD_API_KEY || undefined
  return { url: named ?? defaultUrl, key, board: project?.board, isNamed: named !== undefined }
}

/** The project file of a folder, or of the nearest one above it; undefined when there is none. */
export function projectAbove(folder: string): ProjectFile | undefined {
  const file = join(folder, projectFileName)
  if (!existsSync(file)) return dirname(folder) === folder ? undefined : projectAbove(dirname(folder))
  try {
    return ProjectFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new UsageError(
      `${file} must hold {"url": "http://…", "board": "…"}. Mend it, or let "specboard init" write it.`,
    )
  }
}

/** A target whose key is known. */
export type KeyedTarget = Target & { readonly key: string }

/** @throws UsageError without a key */
export function keyed(target: Target): KeyedTarget {
  if (target.key === undefined)
    throw new UsageError('No API key. Set SPECBOARD_API_KEY; "specboard key create" makes one.')
  return { ...target, key: target.key }
}
