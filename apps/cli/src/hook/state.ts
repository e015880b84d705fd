/** The state shared by hooks, in the user's state folder (harness 3.1). A fault here is never reported. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Variables } from '../frame/credentials.ts'
import type { ClientName } from './exit-code.ts'

/** The clients whose hooks are known. */
export const hookClients = [
  'claude-code',
  'codex',
  'gemini',
  'cursor',
  'copilot',
] as const satisfies readonly ClientName[]

/** How long hooks wait after a failed request before any of them tries again, ms. */
const restMs = 30_000

/** A text as a part of a file name. */
const inName = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('*', '%2A').slice(0, 200)

/** The user's state folder. */
export function stateFolder({ SPECBOARD_STATE_DIR: own, XDG_STATE_HOME: shared }: Variables): string {
  if (own) return own
  return join(shared !== undefined && isAbsolute(shared) ? shared : join(homedir(), '.local/state'), 'specboard')
}

/** The stored state of a session. */
export interface SessionState {
  /** Until when the service must not be called, by event, ms. */
  readonly waits?: Readonly<Record<string, number>>
  /** The most recently edited files, relative to the root. */
  readonly edited?: readonly string[]
  /** How the last test run ended. */
  readonly lastRun?: string
  /** The cards that it noted as claimed in the work tree. */
  readonly claims?: readonly string[]
}

/** The state folder of a user. */
export class HookState {
  readonly #folder: string

  constructor(variables: Variables) {
    this.#folder = join(stateFolder(variables), 'hooks')
  }

  #markOf(url: string): string {
    return join(this.#folder, `down-${inName(url)}`)
  }

  /** Whether a request to a service failed a moment ago. */
  isDown(url: string, now: number): boolean {
    const age = now - (statSync(this.#markOf(url), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    return age >= 0 && age < restMs
  }

  /** Marks a service whose request failed. */
  markDown(url: string): void {
    this.#write(this.#markOf(url), '')
  }

  /** Notes that a hook of a client was answered. */
  spoke(client: ClientName): void {
    this.#write(join(this.#folder, `spoke-${client}`), '')
  }

  /** When a hook of a client was answered last; undefined where none ever was. */
  lastSpoken(client: ClientName): Date | undefined {
    return statSync(join(this.#folder, `spoke-${client}`), { throwIfNoEntry: false })?.mtime
  }

  /** Removes the mark. */
  markUp(url: string): void {
    rmSync(this.#markOf(url), { force: true })
  }

  /** The stored state of a session. */
  read(session: string): SessionState {
    try {
      return JSON.parse(readFileSync(this.#fileOf(session), 'utf8')) as SessionState
    } catch {
      return {}
    }
  }

  /** Adds to the state of a session. */
  keep(session: string, more: SessionState): void {
    this.#write(this.#fileOf(session), JSON.stringify({ ...this.read(session), ...more }))
  }

  /** Deletes the state of a session that ended. */
  forget(session: string): void {
    rmSync(this.#fileOf(session), { force: true })
  }

  #fileOf(session: string): string {
    return join(this.#folder, `session-${inName(session)}.json`)
  }

  #write(file: string, content: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const beside = `${file}.${process.pid}`
    writeFileSync(beside, content, { mode: 0o600 })
    renameSync(beside, file)
  }
}
