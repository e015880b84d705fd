/**
 * The check in git's pre-commit hook: who else works on the files of the next commit (harness 5.8). It never blocks a
 * commit because of an error or a delay.
 */
import { readFileSync } from 'node:fs'
import { addressAt } from '@specboard/client/address'
import type { Variables } from '../frame/credentials.ts'
import { projectAbove } from '../frame/project-file.ts'
import { refusedCommit } from '../frame/refused-commit.ts'
import { ownSession } from '../frame/session.ts'
import { targetOf } from '../frame/target.ts'
import { ask, configuredTimeout } from '../hook/ask.ts'
import { type Fields, fieldsIn } from '../hook/inputs.ts'
import { HookState } from '../hook/state.ts'
import { factsOf, workTreeOf } from '../hook/work-tree.ts'

/** The total time to wait for the service, counted from the start of the program, ms. */
const budgetMs = 270

/** Maximum number of files that are checked; a commit of more counts as a move of folders. */
const maxFiles = 500

/** Maximum number of files named in the message. */
const maxNamed = 10

/** Calls the service within the remaining time. */
class Calls {
  readonly #url: URL
  readonly #key: string

  readonly #budgetMs: number

  constructor(url: string, key: string, budgetMs: number) {
    this.#url = addressAt(url, '/mcp?toolsets=all')
    this.#key = key
    this.#budgetMs = budgetMs
  }

  /** @throws Error where the service does not answer in time */
  async tool(name: string, args: object): Promise<Fields> {
    const remainingMs = this.#budgetMs - performance.now()
    if (remainingMs <= 0) throw new Error('no time is left')
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const { status, body } = await ask(this.#url, this.#key, JSON.stringify(call), remainingMs)
    const { content, isError } = fieldsIn(fieldsIn(body).result)
    if (status !== 200 || isError === true || !Array.isArray(content)) return {}
    return fieldsIn(JSON.parse(String(fieldsIn(content[0]).text)))
  }
}

const listIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsIn) : [])

/** The part that all addresses of one repository have in common, computed without loading the contract. */
function plainAddress(address: string): string {
  const [, , rest = ''] = /^(https?:\/\/|ssh:\/\/|git:\/\/)?(.*)$/.exec(address.toLowerCase()) ?? []
  const withoutUser = rest.slice(rest.indexOf('@') + 1)
  const path = address.includes('://') ? withoutUser : withoutUser.replace(':', '/')
  return path.replace(/\/$/, '').replace(/\.git$/, '')
}

/** The board's repository that has the address of this one, as an argument; empty if the board has none. */
async function repositoryHere(calls: Calls, board_id: string, address: string | undefined) {
  if (address === undefined) return {}
  const { items } = await calls.tool('list_repositories', { board_id })
  const found = listIn(items).find(({ url }) => typeof url === 'string' && plainAddress(url) === plainAddress(address))
  return found === undefined ? {} : { repository_id: found.id ?? found.name }
}

/** A file of the next commit that somebody else works on. */
interface ClaimedFile {
  readonly path: string
  readonly by: Fields
}

async function takenAmong(calls: Calls, board_id: string, files: readonly string[]): Promise<ClaimedFile[]> {
  const tree = workTreeOf(process.cwd())
  const repository = await repositoryHere(calls, board_id, tree === undefined ? undefined : factsOf(tree).repository)
  const { paths } = await calls.tool('check_paths', { board_id, paths: files, ...repository, ...ownSession() })
  return listIn(paths).flatMap(({ path, claims }) =>
    listIn(claims)
      .filter(({ mine }) => mine !== true)
      .map(by => ({ path: String(path), by })),
  )
}

const lineOf = ({ path, by: { ref, agent_name, until } }: ClaimedFile): string =>
  `specboard: ${path} is in the scope of ${String(ref ?? 'a reservation')}, which ${String(agent_name)} works on until ${String(until).slice(0, 16)}Z.`

/** Asks who else works on the files that standard input names, each ended by a NUL; the exit code. */
export async function preCommit(args: readonly string[], variables: Variables): Promise<number> {
  if (variables.SPECBOARD_HOOKS === 'off') return 0
  const files = readFileSync(0, 'utf8')
    .split('\0')
    .filter(name => name !== '' && name.length <= 1_000)
  const at = args.indexOf('--board')
  const board = (at < 0 ? undefined : args[at + 1]) ?? (variables.SPECBOARD_BOARD || projectAbove(process.cwd())?.board)
  const { url, key } = targetOf(variables, process.cwd())
  const state = new HookState(variables)
  if (files.length === 0 || board === undefined || key === undefined || state.isDown(url, Date.now())) return 0
  const calls = new Calls(url, key, configuredTimeout(variables) ?? budgetMs)
  try {
    const claimed = await takenAmong(calls, board, files.slice(0, maxFiles))
    if (claimed.length === 0) return 0
    const { settings } = await calls.tool('get_board', { board_id: board, fields: 'settings' })
    const isRefused = fieldsIn(settings).edit_guard === 'deny'
    const more = claimed.length > maxNamed ? [`specboard: and ${claimed.length - maxNamed} more.`] : []
    const ending = isRefused
      ? 'specboard: this board refuses commits of files that others work on. Agree with them: specboard paths who FILE.'
      : 'specboard: agree with them, or take these files out of the commit.'
    console.error([...claimed.slice(0, maxNamed).map(lineOf), ...more, ending].join('\n'))
    return isRefused ? refusedCommit : 0
  } catch (error) {
    state.markDown(url)
    throw error
  }
}
