import { runtimeSettings } from '@specboard/contract'
import type { Finding } from './finding.ts'
import { fileVariableOf, variableOf } from './setting-sources.ts'
import { settingNames, settingsInFiles } from './settings.ts'

/** Variables of verbs, which are not settings of the service. */
const ofVerbs = [
  'SPECBOARD_URL',
  'SPECBOARD_API_KEY',
  'SPECBOARD_API_KEY_FILE',
  'SPECBOARD_BOARD',
  'SPECBOARD_ID_TOKEN',
  'SPECBOARD_PROFILE',
  'SPECBOARD_CONFIG_DIR',
  'SPECBOARD_STATE_DIR',
  'SPECBOARD_HOOKS',
  'SPECBOARD_HOOK_LOG',
  'SPECBOARD_HOOK_PATIENCE',
  'SPECBOARD_SESSION',
  'SPECBOARD_MCP_TOOLSETS',
  'SPECBOARD_MCP_TOOLS',
  'SPECBOARD_MCP_EXCLUDE',
  'SPECBOARD_MCP_ANSWERS',
  'SPECBOARD_MCP_CONFIRM',
  'SPECBOARD_MCP_READONLY',
  'SPECBOARD_MCP_BOARD',
]

/**
 * Variables that Kubernetes sets in each container for a service named `specboard`, and that this project's tests read.
 */
const ofOthers = /^SPECBOARD_(?:SERVICE_|PORT_\d|TEST)/

/** A variable named like a setting, which is not one. */
export interface UnknownVariable {
  readonly name: string
  /** The message about it. */
  readonly says: string
}

type Variables = Readonly<Record<string, string | undefined>>

const prefix = 'SPECBOARD_'

const withoutPrefix = (name: string): string => name.slice(prefix.length)

/** The `SPECBOARD_…` variables of an environment that nothing reads: mostly misspelt settings. */
export async function unknownVariables(environment: Variables): Promise<UnknownVariable[]> {
  const recognized = new Set([
    ...settingNames.map(variableOf),
    ...settingsInFiles.map(fileVariableOf),
    ...Object.keys(runtimeSettings).map(key => `SPECBOARD_${key.toUpperCase()}`),
    ...ofVerbs,
  ])
  const unknown = Object.keys(environment).filter(
    name => name.startsWith(prefix) && !recognized.has(name) && !ofOthers.test(name),
  )
  if (unknown.length === 0) return []
  // Loaded on demand: the MCP adapter takes part of a start.
  const { nearest } = await import('@specboard/mcp/calling')
  return unknown.toSorted().map(name => {
    // The prefix that all names have in common would make any two of them similar.
    const [suggestion] = nearest(withoutPrefix(name), [...recognized].map(withoutPrefix), 1)
    const advice =
      suggestion === undefined ? '; "specboard serve --help" lists all' : `; did you mean ${prefix}${suggestion}?`
    return { name, says: `${name} is not a setting and has no effect${advice}` }
  })
}

/** The findings of doctor about such variables. */
export const variableFindings = async (environment: Variables): Promise<Finding[]> =>
  (await unknownVariables(environment)).map(({ says }) => ({ name: 'variable', ok: false, says }))
