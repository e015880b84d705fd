/** What `init` did in a project: the member `installed` of `.specboard.json`, by which it is taken out again (harness 2.1). */
import { createHash } from 'node:crypto'
import { commonEnds } from './common-ends.ts'

/** How a text was before a change that cannot be taken out exactly by looking at the text alone. */
export interface Step {
  readonly path: string
  /** SHA-256 of the text after the change. */
  readonly after: string
  /** Where the texts begin to differ. */
  readonly at: number
  /** How many characters are there now. */
  readonly length: number
  /** The characters that stood there before. */
  readonly before: string
}

/** What was done, by all runs. */
export interface InstallationRecord {
  readonly clients: readonly string[]
  readonly with: readonly string[]
  readonly steps?: readonly Step[]
  /** Folders that were there before, empty. */
  readonly folders?: readonly string[]
  /** The text of `.specboard.json` before the first run; absent if there was none. */
  readonly before?: string
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The step back from one text to the other. */
export function stepBack(path: string, before: string, after: string): Step {
  const { start: at, tail } = commonEnds(before, after)
  const length = after.length - tail - at
  return { path, after: digest(after), at, length, before: before.slice(at, before.length - tail) }
}

/** The text before a change; undefined if it was changed since, or nothing is known of it. */
export function steppedBack(steps: readonly Step[], path: string, text: string): string | undefined {
  const after = digest(text)
  const step = steps.find(each => each.path === path && each.after === after)
  return step && text.slice(0, step.at) + step.before + text.slice(step.at + step.length)
}

interface Project {
  readonly url?: unknown
  readonly board?: unknown
  readonly installed?: Partial<InstallationRecord>
}

const projectOf = (text: string): Project => (text === '' ? {} : (JSON.parse(text) as Project))

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** What earlier runs did; undefined if none did anything. */
export function installedIn(text: string): InstallationRecord | undefined {
  const { installed } = projectOf(text)
  return installed && { ...installed, clients: installed.clients ?? [], with: installed.with ?? [] }
}

/** What a run of `init` says in the project's file. */
interface RunRecord {
  readonly url: string
  readonly board: string
  readonly clients: readonly string[]
  readonly with: readonly string[]
  readonly steps: readonly Step[]
  readonly folders: readonly string[]
}

/** The text of the project's file after a run; other content, such as the profile, and what earlier runs did are unchanged. */
export function withInstalled(present: string, { url, board, ...run }: RunRecord): string {
  const { installed: earlier, ...rest } = projectOf(present)
  const all = (name: 'clients' | 'with') => [...new Set([...(earlier?.[name] ?? []), ...run[name]])].sort()
  const steps = [...(earlier?.steps ?? []), ...run.steps]
  const folders = [...new Set([...(earlier?.folders ?? []), ...run.folders])].sort()
  const before = earlier === undefined ? present || undefined : earlier.before
  const installed: InstallationRecord = {
    clients: all('clients'),
    with: all('with'),
    ...(steps.length > 0 && { steps }),
    ...(folders.length > 0 && { folders }),
    ...(before !== undefined && { before }),
  }
  return jsonText({ ...rest, url, board, installed })
}

/** The text of the project's file after some clients were removed from it while others remain. */
export function withClients(present: string, clients: readonly string[]): string {
  const { installed, ...rest } = projectOf(present)
  return jsonText({ ...rest, installed: { ...installed, clients } })
}

/** The text of the project's file without what init wrote; empty if it holds nothing else. */
export function withoutInstalled(present: string): string {
  if (present === '') return ''
  const { installed, ...rest } = projectOf(present)
  const { url, board, ...others } = rest
  if (installed?.before === undefined) return Object.keys(others).length === 0 ? '' : jsonText(rest)
  const { url: _url, board: _board, ...othersBefore } = projectOf(installed.before)
  const isUnchanged = JSON.stringify(others) === JSON.stringify(othersBefore)
  if (isUnchanged) return installed.before
  const { url: urlBefore, board: boardBefore } = projectOf(installed.before)
  return jsonText({ ...others, url: urlBefore, ...(boardBefore !== undefined && { board: boardBefore }) })
}
