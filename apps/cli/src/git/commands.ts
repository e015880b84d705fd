/** `specboard git`: reports what Git does, without a forge (git 5). */

import { resolve } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { boardChosen } from '../frame/board.ts'
import { Failure, reaching } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { type KeyedTarget, keyed, type Target, type TargetFlags } from '../frame/target.ts'
import { claimsIn } from './claim-file.ts'
import { emailLine, offerEmail, removeEmail } from './email.ts'
import { Git } from './git.ts'
import { installHooks, keptLine, uninstallHooks } from './hooks.ts'
import { SyncState } from './queue.ts'
import { addressOf, repositoryOf } from './repository.ts'
import { syncRepository } from './sync.ts'

/** The flags of every command. */
export interface GitFlags extends TargetFlags {
  readonly repo?: string
  readonly board?: string
  readonly json?: boolean
}

const gitOf = ({ repo }: GitFlags): Git => new Git(resolve(repo ?? '.'))

async function boardOf(target: KeyedTarget, { board }: GitFlags): Promise<string> {
  return (await boardChosen(target, board)).id
}

function say(flags: GitFlags, value: unknown, line: string): void {
  if (flags.json) printJson(value)
  else console.log(line)
}

/** A promise that is started now and awaited later: its rejection counts only then. */
function begun<Value>(value: Promise<Value>): Promise<Value> {
  value.catch(() => {})
  return value
}

/** The flags of `specboard git sync`. */
export interface SyncFlags extends GitFlags {
  readonly all?: boolean
  readonly since?: string
  readonly create?: boolean
}

const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`

/** `specboard git sync`: sends what the service does not know yet. */
export async function sync(flags: SyncFlags, to: Target): Promise<number> {
  const target = keyed(to)
  const git = gitOf(flags)
  // Git and the service are queried at the same time.
  const pendingPlace = begun(git.place())
  const address = begun(addressOf(git, pendingPlace))
  const board = begun(boardOf(target, flags))
  const place = await pendingPlace
  const repository = await repositoryOf(target, await board, await address, flags.create === true)
  const reach = { all: flags.all === true, since: flags.since }
  const result = await syncRepository(target, git, place, repository, reach)
  const lines = [
    result.commits + result.branches === 0
      ? `${repository.name}: nothing new`
      : `${repository.name}: ${counted(result.commits, 'commit')}, ${counted(result.branches, 'branch', 'branches')}, ${counted(result.linked, 'link')}`,
    ...(place.isShallow ? ['a shallow clone: only its contents were sent'] : []),
    ...result.behind.map(name => `${name} is behind what the service knows: fetch first`),
    ...result.problems.map(({ sha, reason }) => `${sha.slice(0, 12)}: ${reason}`),
  ]
  say(flags, { repository: repository.name, shallow: place.isShallow, ...result }, lines.join('\n'))
  return 0
}

/** The flags of `specboard git install-hooks`. */
export interface HookFlags extends GitFlags {
  readonly trailer?: boolean
  readonly paths?: boolean
  readonly email?: boolean
  readonly uninstall?: boolean
}

/** `specboard git install-hooks`. */
export async function hooks(flags: HookFlags, targetNow: () => Promise<Target>): Promise<number> {
  const git = gitOf(flags)
  const place = await git.place()
  const result = flags.uninstall
    ? await uninstallHooks(git, place)
    : await installHooks(git, place, {
        trailer: flags.trailer === true,
        paths: flags.paths === true,
        board: flags.board,
      })
  const did = flags.uninstall ? 'removed from' : 'installed in'
  const email = flags.uninstall ? await removeEmail(git) : await offerEmail(git, targetNow, flags.email === true)
  const lines = [
    result.advice ?? `${result.hooks.join(', ') || 'nothing'} ${did} ${result.folder}`,
    keptLine(result),
    emailLine(email),
  ]
  say(flags, { ...result, email }, lines.filter(line => line !== undefined).join('\n'))
  return 0
}

/** `specboard git link`: links a commit or branch to a record. */
export async function link(name: string, ref: string, flags: GitFlags, to: Target): Promise<number> {
  const target = keyed(to)
  const client = createClient(target)
  const board_id = await boardOf(target, flags)
  const sha = /^[0-9a-f]{7,64}$/.test(name)
  const listing = await reaching(target, () =>
    client.listChanges({ board_id, ...(sha ? { sha: name } : { kind: 'branch', unlinked: true }), limit: 200 }),
  )
  const branches = sha
    ? []
    : (await reaching(target, () => client.listChanges({ board_id, kind: 'branch', limit: 200 }))).items
  const change = [...listing.items, ...branches].find(candidate => sha || candidate.name === name)
  if (change === undefined)
    throw new Failure('NOT_FOUND', `The service knows no commit or branch ${name}. "specboard git sync" sends it.`)
  const { items } = await reaching(target, () => client.searchRecords({ q: ref, board_id, limit: 1 }))
  const record = items.find(item => item.ref === ref.toUpperCase())
  if (record === undefined)
    throw new Failure('NOT_FOUND', `There is no record ${ref} on this board that this key sees.`)
  const { entity_type, id } = record
  const value = await reaching(target, () => client.linkChange({ change_id: change.id, entity_type, entity_id: id }))
  say(flags, value, `${name} linked to ${record.ref}`)
  return 0
}

/** The card of a work tree: the one that is claimed there, otherwise the one that its branch names. */
function cardOf(gitDir: string, branch: string | undefined): string | undefined {
  const claims = claimsIn(gitDir)
  if (claims.length === 1) return claims[0]
  const parts = (branch ?? '').toUpperCase().split(/[/_.-]/)
  const at = parts.findIndex(
    (part, index) => /^[A-Z][A-Z0-9]{1,9}$/.test(part) && /^\d{1,9}$/.test(parts[index + 1] ?? ''),
  )
  return at === -1 ? undefined : `${parts[at]}-${parts[at + 1]}`
}

type CardProof = NonNullable<Awaited<ReturnType<Client['getCard']>>['proof']>

/** The proof of a card in one line (evidence 7). */
const proofLine = ({ status, tier, commit, stale, flaky }: CardProof): string => {
  const words = [
    tier === null ? status : `${status}, ${tier}`,
    ...(commit === null ? [] : [`at ${commit.slice(0, 7)}`]),
    ...(flaky ? ['flaky'] : []),
    ...(stale ? ['stale: newer commits are not covered'] : []),
  ]
  return `proof: ${words.join(', ')}`
}

/** `specboard git status`: the card of this branch, its proof, and what has not been sent (git 5). */
export async function status(flags: GitFlags, to: Target): Promise<number> {
  const target = keyed(to)
  const git = gitOf(flags)
  const place = await git.place()
  const client = createClient(target)
  const board_id = await boardOf(target, flags)
  const branch = await git.line('symbolic-ref', '--short', 'HEAD')
  const head = await git.line('rev-parse', '--verify', '--quiet', 'HEAD')
  const repository = await repositoryOf(target, board_id, await addressOf(git, place), false)
  const serviceHead = repository.branches.find(({ name }) => name === branch)?.head
  const unsent =
    head === undefined || head === serviceHead
      ? 0
      : Number(
          (await git.line('rev-list', '--count', head, ...(serviceHead === undefined ? [] : [`^${serviceHead}`]))) ?? 0,
        )
  const ref = cardOf(place.gitDir, branch)
  const { items } =
    ref === undefined
      ? { items: [] }
      : await reaching(target, () => client.searchRecords({ q: ref, board_id, limit: 1 }))
  const card = items.find(item => item.ref === ref)
  const proof = card === undefined ? null : (await reaching(target, () => client.getCard({ card_id: card.id }))).proof
  const value = {
    repository: repository.name,
    branch: branch ?? null,
    card: card === undefined ? null : { ref: card.ref, title: card.title, status: card.status, proof },
    unsent_commits: unsent,
    noted: new SyncState(place.commonDir).isNoted,
  }
  const lines = [
    `${branch ?? 'no branch'} of ${repository.name}`,
    card === undefined ? 'no card' : `${card.ref} ${card.title} (${card.status})`,
    ...(proof === null ? [] : [proofLine(proof)]),
    unsent === 0 ? 'everything is sent' : `${counted(unsent, 'commit')} not sent: specboard git sync`,
  ]
  say(flags, value, lines.join('\n'))
  return 0
}
