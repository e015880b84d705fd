/** `specboard paths`: who works on files, and paths that are kept without a card (harness 5.8). */
import { createClient } from '@specboard/client'
import { boardChosen } from '../frame/board.ts'
import { Failure, reaching } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { ownSession } from '../frame/session.ts'
import { type KeyedTarget, keyed, type Target, type TargetFlags } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import { Git } from '../git/git.ts'
import { repositoryAt } from '../git/repository.ts'
import { factsOf, pathsIn, type WorkTree, workTreeOf } from '../hook/work-tree.ts'

/** What every command takes. */
export interface PathFlags extends TargetFlags {
  readonly board?: string
  readonly json?: boolean
}

/** The flags of `specboard paths check`. */
export interface CheckFlags extends PathFlags {
  readonly staged?: boolean
}

/** The flags of `specboard paths reserve`. */
export interface ReserveFlags extends PathFlags {
  readonly note?: string
  readonly for?: string
}

/** The board that a command asks about, and the repository of this folder, if the board has it. */
interface PathsTarget {
  readonly target: KeyedTarget
  readonly board_id: string
  readonly tree: WorkTree | undefined
  readonly repository: { readonly repository_id?: string }
}

async function placeOf(to: Target, { board }: PathFlags): Promise<PathsTarget> {
  const target = keyed(to)
  const board_id = (await boardChosen(target, board)).id
  const tree = workTreeOf(process.cwd())
  const address = tree === undefined ? undefined : factsOf(tree).repository
  const found = address === undefined ? undefined : await repositoryAt(target, board_id, address)
  return { target, board_id, tree, repository: found === undefined ? {} : { repository_id: found.id } }
}

/** Files relative to the root of the repository, as the service names them; unchanged if there is no repository. */
function fromRoot({ tree }: PathsTarget, files: readonly string[]): string[] {
  if (tree === undefined) return files.map(file => file.replaceAll('\\', '/'))
  const outside = files.filter(file => pathsIn(tree, process.cwd(), [file]).length === 0)
  if (outside.length > 0) throw new UsageError(`${outside[0]} is not in the repository of this folder.`)
  return files.flatMap(file => pathsIn(tree, process.cwd(), [file]))
}

/** Maximum number of files in one call. */
const maxAtOnce = 500

/** Who works on files: checks all of them, in several calls if necessary. */
async function checked({ target, board_id, repository }: PathsTarget, files: readonly string[]) {
  const client = createClient(target)
  const result: Awaited<ReturnType<typeof client.checkPaths>> = { paths: [], outside: [] }
  for (let at = 0; at < files.length; at += maxAtOnce) {
    const paths = files.slice(at, at + maxAtOnce)
    const next = await reaching(target, () => client.checkPaths({ board_id, paths, ...repository, ...ownSession() }))
    result.paths.push(...next.paths)
    result.outside.push(...next.outside)
  }
  return result
}

type Holder = Awaited<ReturnType<typeof checked>>['paths'][number]['claims'][number]

const holderLine = ({ ref, agent_name, until, mine }: Holder): string =>
  `${ref ?? 'reserved'}  ${mine ? 'you' : agent_name} until ${until.slice(0, 16)}Z`

function say(flags: PathFlags, value: unknown, lines: readonly string[]): void {
  if (flags.json) printJson(value)
  else if (lines.length > 0) console.log(lines.join('\n'))
}

/** `specboard paths who`: who works on files now. */
export async function who(files: readonly string[], flags: PathFlags, to: Target): Promise<number> {
  const place = await placeOf(to, flags)
  const paths = fromRoot(place, files)
  const value = await checked(place, paths)
  const lines = paths.flatMap(file => {
    const claims = value.paths.find(({ path }) => path === file)?.claims ?? []
    return claims.length === 0 ? [`${file}  nobody`] : claims.map(claim => `${file}  ${holderLine(claim)}`)
  })
  say(flags, value, lines)
  return 0
}

/** The files that differ from the last commit, relative to the root. */
async function changedFiles(isStaged: boolean): Promise<string[]> {
  const git = new Git(process.cwd())
  await git.place()
  const names = async (...args: readonly string[]) => ((await git.line(...args)) ?? '').split('\0')
  const root = (await git.line('rev-parse', '--show-toplevel')) ?? process.cwd()
  const differing = await names('diff', '--name-only', '--no-renames', '-z', isStaged ? '--cached' : 'HEAD')
  const others = isStaged ? [] : await names('-C', root, 'ls-files', '--others', '--exclude-standard', '-z')
  return [...new Set([...differing, ...others])].filter(name => name !== '')
}

/** `specboard paths check`: lists the changed files that somebody else works on. */
export async function check(files: readonly string[], flags: CheckFlags, to: Target): Promise<number> {
  const place = await placeOf(to, flags)
  const paths = files.length > 0 ? fromRoot(place, files) : await changedFiles(flags.staged === true)
  const value = await checked(place, paths)
  const claimed = value.paths.flatMap(({ path, claims }) =>
    claims.filter(({ mine }) => !mine).map(claim => `${path}  ${holderLine(claim)}`),
  )
  const outside = value.outside.map(path => `${path}  outside of your scopes`)
  say(
    flags,
    value,
    claimed.length + outside.length === 0 ? ['nobody else works on these files'] : [...claimed, ...outside],
  )
  return claimed.length > 0 ? 1 : 0
}

function secondsIn(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--for must be a number of seconds, 60 to 86400, not "${text}".`)
  return Number(text)
}

/** `specboard paths reserve`: keeps paths for work without a card. */
export async function reserve(patterns: readonly string[], flags: ReserveFlags, to: Target): Promise<number> {
  const { target, board_id, repository } = await placeOf(to, flags)
  const value = await reaching(target, () =>
    createClient(target).reservePaths({
      board_id,
      paths: [...patterns],
      ...(flags.note !== undefined && { note: flags.note }),
      ...(flags.for !== undefined && { lease_seconds: secondsIn(flags.for) }),
      ...repository,
      ...ownSession(),
    }),
  )
  const overlaps = (value.overlaps ?? []).map(
    ({ agent_name, ref, example }) => `${agent_name} works on ${example} too${ref === undefined ? '' : `, for ${ref}`}`,
  )
  say(flags, value, [`${value.id} yours until ${value.expires_at}`, ...overlaps])
  return 0
}

/** `specboard paths release`: gives reservations back. */
export async function release(names: readonly string[], flags: PathFlags, to: Target): Promise<number> {
  const { target, board_id } = await placeOf(to, flags)
  const client = createClient(target)
  const { agent_id } = await reaching(target, () => client.getMyPermissions({ board_id }))
  const { items } = await reaching(target, () => client.listReservations({ board_id, limit: 200 }))
  const own = items.filter(item => item.agent_id === agent_id)
  const matches = ({ id, paths }: (typeof items)[number], name: string) => id === name || paths.includes(name)
  const missing = names.find(name => !own.some(item => matches(item, name)))
  if (missing !== undefined)
    throw new Failure('NOT_FOUND', `You have no reservation ${missing}. "specboard call list_reservations" lists all.`)
  const selected = names.length === 0 ? own : own.filter(item => names.some(name => matches(item, name)))
  for (const { id } of selected) await reaching(target, () => client.releasePaths({ reservation_id: id }))
  const lines = selected.map(({ paths }) => `released ${paths.join(', ')}`)
  say(flags, { released: selected.map(({ id }) => id) }, lines.length === 0 ? ['you have no reservation'] : lines)
  return 0
}
