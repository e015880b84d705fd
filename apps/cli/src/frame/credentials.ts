/** The keys that `specboard login` saved, in a file that only the user can read (harness 1). */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The default profile. */
export const defaultProfile = 'default'

/** A saved key, and whose it is. */
export interface SavedKey {
  readonly key: string
  readonly agent_id: string
  readonly agent_name: string
  readonly saved_at: string
}

/** Saved keys by address and profile. */
type Services = Record<string, Record<string, SavedKey>>

const fileName = 'credentials.json'

/** The user's configuration folder. */
export function configFolder(variables: Variables): string {
  const { SPECBOARD_CONFIG_DIR: own, XDG_CONFIG_HOME: shared, APPDATA: windows } = variables
  if (own) return own
  if (process.platform === 'win32' && windows) return join(windows, 'specboard')
  return join(shared !== undefined && isAbsolute(shared) ? shared : join(homedir(), '.config'), 'specboard')
}

/** The key under which an address is stored: its origin, and the path below which the service is reached. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname)
}

/** Saved keys, as of when they were read. */
export class Credentials {
  readonly file: string
  readonly #services: Services

  private constructor(file: string, services: Services) {
    this.file = file
    this.#services = services
  }

  /**
   * Reads the keys of the user.
   * @throws UsageError for a file that others may read or that contains no keys
   */
  static read(variables: Variables): Credentials {
    const folder = configFolder(variables)
    const file = join(folder, fileName)
    refuseOpen(folder, file)
    return new Credentials(file, servicesIn(file))
  }

  /** The addresses with saved keys. */
  get addresses(): string[] {
    return Object.keys(this.#services)
  }

  /** The profiles that have a key for an address. */
  profilesOf(url: string): string[] {
    return Object.keys(this.#of(url))
  }

  /** The key of a profile for an address. */
  keyFor(url: string, profile: string): SavedKey | undefined {
    const profiles = this.#of(url)
    return Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  }

  /** Saves a key. */
  save(url: string, profile: string, saved: SavedKey): void {
    this.#write({ ...this.#services, [placeOf(url)]: { ...this.#of(url), [profile]: saved } })
  }

  /** Removes a key; false if there is none. */
  remove(url: string, profile: string): boolean {
    if (this.keyFor(url, profile) === undefined) return false
    const { [profile]: _taken, ...profiles } = this.#of(url)
    const { [placeOf(url)]: _all, ...services } = this.#services
    this.#write(Object.keys(profiles).length === 0 ? services : { ...services, [placeOf(url)]: profiles })
    return true
  }

  #of(url: string): Record<string, SavedKey> {
    const place = placeOf(url)
    return Object.hasOwn(this.#services, place) ? this.#services[place]! : {}
  }

  /** Writes to a new file and renames it, so that a reader finds the old keys or the new ones. */
  #write(services: Services): void {
    if (Object.keys(services).length === 0) {
      rmSync(this.file, { force: true })
      return
    }
    const folder = join(this.file, '..')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    const beside = `${this.file}.${process.pid}`
    rmSync(beside, { force: true })
    const handle = openSync(beside, 'wx', 0o600)
    try {
      writeSync(handle, `${JSON.stringify({ version: 1, services }, null, 2)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(beside, this.file)
  }
}

/** @throws UsageError for a file that others may read, or a folder in which others may replace it */
function refuseOpen(folder: string, file: string): void {
  // Windows has no permission bits; the folder of the profile belongs to its user.
  if (process.platform === 'win32') return
  const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if (modeOf(file) & 0o077)
    throw new UsageError(`${file} can be read by others, so its keys are not used. Fix it: chmod 600 ${file}`)
  if (modeOf(file) !== 0 && modeOf(folder) & 0o022)
    throw new UsageError(`${folder} can be changed by others, so its keys are not used. Fix it: chmod 700 ${folder}`)
}

/** @throws UsageError for a file with other contents */
function servicesIn(file: string): Services {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return {}
    throw new UsageError(`${file} cannot be read.`)
  }
  try {
    const { version, services } = JSON.parse(text) as { version: unknown; services: Services }
    const profiles = Object.values(services).flatMap(of => Object.values(of))
    if (version === 1 && profiles.every(({ key }) => typeof key === 'string')) return services
  } catch {
    // Reported below, like a file of another form.
  }
  throw new UsageError(`${file} does not hold saved keys. Remove it, and run "specboard login" again.`)
}
