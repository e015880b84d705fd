/** Where settings are found: flags, variables, files that hold a secret each, and a file of settings. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Flags = Readonly<Partial<Record<string, string>>>
export type Variables = Readonly<Record<string, string | undefined>>

/** A setting with an invalid value; the message names the setting and says what it takes. */
export class SettingError extends Error {}

/** The environment variable of a setting. */
export const variableOf = (name: string): string =>
  `SPECBOARD_${name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`

/** The flag of a setting. */
export const flagOf = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** The variable that names a file with the value of another one, so that secrets need not be in the environment. */
export const fileVariableOf = (name: string): string => `${variableOf(name)}_FILE`

/** Where a value comes from; `file` is the file of settings. */
export type SettingSource = 'flag' | 'environment' | 'file' | 'default'

/** A setting as it was found. */
export interface FoundSetting {
  /** Undefined where nobody set it. */
  readonly text: string | undefined
  readonly source: SettingSource
  /** The name of the source for people: the flag or variable. */
  readonly from: string
}

/** All settings as they were found. */
export interface FoundSettings {
  readonly found: (name: string) => FoundSetting
  /** The variables of the environment, with those of the file of settings. */
  readonly variables: Variables
}

/** The settings that a settings file may contain. */
export interface KnownSettings {
  readonly names: readonly string[]
  /** The settings whose value may be in a separate file. */
  readonly secrets: readonly string[]
  /** Further variables that are known. */
  readonly others: readonly string[]
}

/**
 * The value of a variable in an environment; undefined if it is empty. Kubernetes sets SPECBOARD_PORT to `tcp://…` in
 * every container if there is a service named `specboard`: that is not a port that somebody chose.
 */
function setIn(environment: Variables, variable: string): string | undefined {
  const text = environment[variable]
  const isServiceLink = variable === 'SPECBOARD_PORT' && text?.startsWith('tcp://')
  return text === '' || isServiceLink ? undefined : text
}

/**
 * Finds the settings: flags before variables before the file of settings that a flag or variable names.
 * @throws SettingError for a file that cannot be read or holds no setting, and for a secret that is set twice
 */
export function findSettings(flags: Flags, environment: Variables, settings: KnownSettings): FoundSettings {
  const file = flags.configFile ?? setIn(environment, variableOf('configFile'))
  const ofFile = file === undefined ? {} : variablesIn(file, settings)
  const secrets = new Set(settings.secrets)
  return {
    found: name => {
      const fromFlag = flags[name]
      if (fromFlag !== undefined) return { text: fromFlag, source: 'flag', from: `--${flagOf(name)}` }
      const isSecret = secrets.has(name)
      const from = variableOf(name)
      const value = valueIn(environment, name, isSecret)
      if (value !== undefined) return { text: value, source: 'environment', from }
      const stored = valueIn(ofFile, name, isSecret)
      return { text: stored, source: stored === undefined ? 'default' : 'file', from }
    },
    variables: { ...ofFile, ...environment },
  }
}

/** The value of a setting among variables, or in the file that one of them names. */
function valueIn(variables: Variables, name: string, isSecret: boolean): string | undefined {
  const text = setIn(variables, variableOf(name))
  const file = isSecret ? setIn(variables, fileVariableOf(name)) : undefined
  if (file === undefined) return text
  if (text !== undefined)
    throw new SettingError(`${variableOf(name)} and ${fileVariableOf(name)} are both set: unset one of them.`)
  return textOf(file, fileVariableOf(name)).trimEnd()
}

/** The variables of a file of settings, one `NAME=value` per line. */
function variablesIn(file: string, { names, secrets, others }: KnownSettings): Variables {
  // Some editors begin a file with a mark of its encoding.
  const text = textOf(file, variableOf('configFile')).replace(/^\uFEFF/, '')
  const variables = parseEnv(text)
  const allowed = new Set([...names.map(variableOf), ...secrets.map(fileVariableOf), ...others])
  allowed.delete(variableOf('configFile'))
  for (const name of Object.keys(variables))
    if (!allowed.has(name))
      throw new SettingError(`${file}: ${name} is not a setting; "specboard serve --help" lists all.`)
  // Only after the names: they tell more about a file of another kind.
  const line = lineWithoutValue(text)
  if (line !== undefined) throw new SettingError(`${file}: line ${line} has no "=": write one SPECBOARD_…=… per line.`)
  return variables
}

/** The number of the first line that sets nothing, which the parser passes over; undefined if there is none. */
function lineWithoutValue(text: string): number | undefined {
  let quote: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (quote !== undefined) {
      if (line.includes(quote)) quote = undefined
      continue
    }
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const at = trimmed.indexOf('=')
    if (at === -1) return index + 1
    const value = trimmed.slice(at + 1).trimStart()
    if (/^["'`]/.test(value) && !value.includes(value[0]!, 1)) quote = value[0]
  }
  return undefined
}

function textOf(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new SettingError(`${variable} names ${file}, which cannot be read${code}.`)
  }
}
