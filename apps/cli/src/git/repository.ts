/** The repository of a board that corresponds to a local one (git 5). */
import { isAbsolute, resolve } from 'node:path'
import { createClient } from '@specboard/client'
import { forgeOfAddress, readAddress, repositoryKey, withoutUser } from '@specboard/contract/repository-address'
import { Failure, reaching } from '../frame/failure.ts'
import type { KeyedTarget } from '../frame/target.ts'
import type { Git, RepositoryLocation } from './git.ts'

/** An address without what it must not reveal: user and password of https. */
const withoutSecrets = (text: string): string => (/^https?:/.test(text) ? withoutUser(text) : text)

/** The remote in a line of `git remote --verbose`, if it is the line for fetching. */
function fetchedIn(line: string): { name: string; url: string }[] {
  const [name = '', told = ''] = line.split('\t')
  const end = told.lastIndexOf(' (fetch)')
  return end === -1 ? [] : [{ name, url: told.slice(0, end) }]
}

const fileAddress = (path: string): string => `file://${path.replaceAll(' ', '%20')}`

/** The address of a remote in a form that a board takes: a path as a file, unencrypted HTTP as its host and path. */
function asBoardAddress(remote: string, workTree: string): string {
  if (remote.startsWith('http://')) return remote.replace('http://', 'https://')
  const isPath = isAbsolute(remote) || /^\.{1,2}(?:\/|$)/.test(remote)
  return isPath ? fileAddress(resolve(workTree, remote)) : remote
}

/** The address of a repository: that of its remote `origin`, otherwise of its first remote, otherwise its folder. */
export async function addressOf(git: Git, place: RepositoryLocation | Promise<RepositoryLocation>): Promise<string> {
  const [remoteList = '', workTree, { commonDir }] = await Promise.all([
    git.line('remote', '--verbose'),
    git.line('rev-parse', '--show-toplevel'),
    place,
  ])
  const remotes = remoteList.split('\n').flatMap(fetchedIn)
  const { url } = remotes.find(({ name }) => name === 'origin') ?? remotes[0] ?? {}
  const address = url === undefined ? undefined : withoutSecrets(asBoardAddress(url, workTree ?? git.folder))
  if (address !== undefined && !('fault' in readAddress(address))) return address
  return fileAddress(commonDir)
}

/** Whether two addresses refer to the same repository, no matter who fetches from it. */
const sameAddress = (one: string, other: string): boolean => {
  const [a, b] = [readAddress(one), readAddress(other)]
  return !('fault' in a) && !('fault' in b) && repositoryKey(a) === repositoryKey(b)
}

/** How to create a repository that a board lacks. */
interface Making {
  /** If its host does not determine it; an unknown word counts as `plain`. */
  readonly forge: string | undefined
}

type Forge = NonNullable<Parameters<ReturnType<typeof createClient>['createRepository']>[0]['forge']>

const forges: Readonly<Record<string, Forge>> = {
  github: 'github',
  gitlab: 'gitlab',
  gitea: 'gitea',
  forgejo: 'forgejo',
}

/**
 * The repository of a board with an address; undefined if it has none.
 * @throws Failure
 */
export async function repositoryAt(target: KeyedTarget, board_id: string, url: string) {
  const { items } = await reaching(target, () => createClient(target).listRepositories({ board_id }))
  return items.find(repository => sameAddress(repository.url, url))
}

/**
 * The repository of a board with an address.
 * @param create whether, or how, it is created if it does not exist
 * @throws Failure if it does not exist
 */
export async function repositoryOf(target: KeyedTarget, board_id: string, url: string, create: boolean | Making) {
  const found = await repositoryAt(target, board_id, url)
  if (found !== undefined) return found
  if (create === false)
    throw new Failure(
      'NOT_FOUND',
      `The board has no repository ${url}. Create it with "specboard git sync --create", or ask somebody who manages repositories.`,
    )
  const address = readAddress(url)
  const forge = 'fault' in address ? undefined : forgeOfAddress(address)
  const requestedForge = create === true || create.forge === undefined ? undefined : forges[create.forge]
  return reaching(target, () =>
    createClient(target).createRepository({ board_id, url, forge: forge ?? requestedForge ?? 'plain' }),
  )
}

/**
 * The repository of a board that has the address of a clone.
 * @throws Failure where it has none, or may not be read
 */
export async function repositoryHere(target: KeyedTarget, board: string, git: Git): Promise<string> {
  const address = await addressOf(git, git.place())
  return (await repositoryOf(target, board, address, false)).id
}

/** A repository as the service knows it. */
export type KnownRepository = Awaited<ReturnType<typeof repositoryOf>>
