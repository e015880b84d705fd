/** The service, key and board of a verb, and where each was found (harness 1). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Credentials, defaultProfile, type Variables } from './credentials.ts'
import { type FoundProject, isWebAddress, projectAbove, projectFileName } from './project-file.ts'
import { UsageError } from './usage-error.ts'

/** The flags of a verb that say which service it talks to, and as whom. */
export interface TargetFlags {
  readonly url?: string
  readonly key?: string
  readonly profile?: string
}

/** The service that a verb talks to. */
export interface Target {
  readonly url: string
  readonly key: string | undefined
  /** The board of the project. */
  readonly board: string | undefined
  /** Whether the address was given, rather than being the default. */
  readonly isNamed: boolean
  readonly profile: string
  /** Where each was found, for people; undefined for what was not found. */
  readonly from: { readonly url: string; readonly key: string | undefined; readonly board: string | undefined }
  /** Why no key may be used, if that is the case. */
  readonly refusal: string | undefined
}

const defaultUrl = 'http://127.0.0.1:8100'

/** A value, and where it was found. */
export interface FoundValue {
  readonly value: string
  readonly from: string
}

const found = (value: string | undefined, from: string): FoundValue | undefined => (value ? { value, from } : undefined)

/**
 * The service given by flags, variables, the project file or the saved keys, in this order, and the key for it. An
 * address from a project's file gets a key only if the user trusts it: a project must not be able to steal a key.
 * @throws UsageError for an invalid address, or a project file that cannot be read
 */
export function targetOf(variables: Variables, folder: string, flags: TargetFlags = {}): Target {
  const project = projectAbove(folder)
  const saved = savedKeys(variables)
  const ofProject = project === undefined ? undefined : join(project.folder, projectFileName)
  const explicit = addressOf(variables, flags, project)
  const address = explicit ?? onlyAddress(saved) ?? { value: defaultUrl, from: 'default' }
  const profile = flags.profile || variables.SPECBOARD_PROFILE || project?.profile || defaultProfile
  const { key, refusal } = keyOf(variables, flags, { address, profile, saved, isOfProject: address.from === ofProject })
  return {
    url: address.value,
    key: key?.value,
    board: project?.board,
    isNamed: address.from !== 'default',
    profile,
    from: { url: address.from, key: key?.from, board: project?.board === undefined ? undefined : ofProject },
    refusal,
  }
}

/** The address that was given. */
function addressOf(
  variables: Variables,
  flags: TargetFlags,
  project: FoundProject | undefined,
): FoundValue | undefined {
  const explicit = found(flags.url, '--url') ?? found(variables.SPECBOARD_URL, 'SPECBOARD_URL')
  if (explicit !== undefined && !isWebAddress(explicit.value))
    throw new UsageError(`${explicit.from} must be an address such as ${defaultUrl}, not "${explicit.value}".`)
  return explicit ?? (project && found(project.url, join(project.folder, projectFileName)))
}

/** The saved keys, read on demand. */
function savedKeys(variables: Variables): () => Credentials {
  let read: Credentials | undefined
  return () => {
    read ??= Credentials.read(variables)
    return read
  }
}

/** The address of the saved keys, if it is the only one. */
function onlyAddress(saved: () => Credentials): FoundValue | undefined {
  try {
    const { addresses, file } = saved()
    return addresses.length === 1 ? found(addresses[0], file) : undefined
  } catch {
    // The keys are read again when the key is looked up, and the error is reported there.
    return undefined
  }
}

/** What is known before the key is looked up. */
interface TargetStart {
  readonly address: FoundValue
  readonly profile: string
  readonly saved: () => Credentials
  readonly isOfProject: boolean
}

/**
 * The key that a variable holds, or names a file with.
 * @throws UsageError for a file that cannot be read
 */
export function keyInVariables(variables: Variables): FoundValue | undefined {
  const inline = found(variables.SPECBOARD_API_KEY, 'SPECBOARD_API_KEY')
  const file = variables.SPECBOARD_API_KEY_FILE
  if (inline !== undefined || !file) return inline
  try {
    return found(readFileSync(file, 'utf8').trim(), file)
  } catch (error) {
    throw new UsageError(`SPECBOARD_API_KEY_FILE names ${file}, which cannot be read (${(error as Error).message}).`)
  }
}

/** The key for an address, or why none may be used. */
function keyOf(
  variables: Variables,
  flags: TargetFlags,
  { address, profile, saved, isOfProject }: TargetStart,
): { readonly key?: FoundValue | undefined; readonly refusal?: string } {
  const { value: url } = address
  try {
    const explicit = found(flags.key, '--key') ?? keyInVariables(variables)
    const isTrusted = !isOfProject || isLoopback(url)
    if (explicit !== undefined && isTrusted) return { key: explicit }
    const keys = saved()
    if (!isTrusted && keys.profilesOf(url).length === 0)
      return {
        refusal: `Unknown service ${url}, which ${address.from} names: no key is sent there. If you trust it: specboard login ${url}`,
      }
    return { key: explicit ?? found(keys.keyFor(url, profile)?.key, `${keys.file}, profile ${profile}`) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { refusal: error.message }
  }
}

/** Whether an address is one of this machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/** A target whose key is known. */
export type KeyedTarget = Target & { readonly key: string }

/** @throws UsageError without a key, or if none may be used */
export function keyed(target: Target): KeyedTarget {
  const { key, url, profile, refusal } = target
  if (key !== undefined) return { ...target, key }
  const profileFlag = profile === defaultProfile ? '' : ` --profile ${profile}`
  throw new UsageError(
    refusal ??
      `No API key for ${url}. Create one there with "specboard key create" and save it with "specboard login ${url}${profileFlag}", or set SPECBOARD_API_KEY.`,
  )
}
