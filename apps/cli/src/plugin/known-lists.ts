/**
 * The lists of the last connection, used while the service is not reachable (harness 2). A fault here is never
 * reported.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

type Result = Readonly<Record<string, unknown>>

/** The methods whose answers are kept: the handshake, and complete lists. */
const cachedMethods: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
])

/** The member that contains the list in each answer. */
const members: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

/** Answers that are kept in a file of the user. */
export class KnownLists {
  readonly #file: string
  #answers: Record<string, Result> | undefined

  constructor(file: string) {
    this.#file = file
  }

  #read(): Record<string, Result> {
    if (this.#answers !== undefined) return this.#answers
    try {
      this.#answers = JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, Result>
    } catch {
      this.#answers = {}
    }
    return this.#answers
  }

  /** The last answer; an empty list if there was none; undefined for methods whose answers are not kept. */
  of(method: string): Result | undefined {
    if (!cachedMethods.has(method)) return undefined
    const member = members[method]
    return this.#read()[method] ?? (member === undefined ? undefined : { [member]: [] })
  }

  /** Whether an answer was kept. */
  has(method: string): boolean {
    return cachedMethods.has(method) && this.#read()[method] !== undefined
  }

  /** Keeps an answer, unless it is a part of a list. */
  keep(method: string, params: unknown, result: Result): void {
    const isPart = result.nextCursor !== undefined || (params as { cursor?: unknown } | undefined)?.cursor !== undefined
    if (!cachedMethods.has(method) || isPart) return
    const answers = this.#read()
    if (JSON.stringify(answers[method]) === JSON.stringify(result)) return
    answers[method] = result
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
      const temporary = `${this.#file}.${process.pid}`
      writeFileSync(temporary, JSON.stringify(answers), { mode: 0o600 })
      renameSync(temporary, this.#file)
    } catch {
      // A full disk is not a reason to get in the way.
    }
  }
}
