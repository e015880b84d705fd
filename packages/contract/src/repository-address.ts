/** Addresses of repositories, as `git clone` takes them (git 1). Pure. */

import type { z } from 'zod'
import type { Forge } from './features/repositories.ts'

/** An address in its parts. */
export interface RepositoryAddress {
  /** In lower case, with the port; empty for a file. */
  readonly host: string
  /** Without a slash at either end, and without `.git`. */
  readonly path: string
}

/** Why an address is refused, as a text that follows `url`. */
export interface AddressFault {
  readonly fault: string
}

const form = 'must be an https:// or ssh:// address, host:path, or file: for forge plain'
const secret = 'must not contain a password or token: nothing was stored. Leave it out'

/** The prefixes of tokens as the user of an https address. */
const tokens = ['gh', 'github_pat_', 'glpat-', 'oauth2', 'x-access-token', 'x-token-auth', 'gitlab-ci-token']

/** Maximum number of characters of a user name that is not a token. */
const maxUserLength = 19

const isToken = (user: string): boolean =>
  user.length > maxUserLength || tokens.some(beginning => user.toLowerCase().startsWith(beginning))

/** A host and path between them: `git@example.com:team/shop.git`. */
const scp = /^(?:[\w.-]+@)?([\w.-]+):([^\s:]+)$/

function trimmed(path: string): string {
  const parts = path.split('/').filter(part => part !== '')
  const last = parts.pop() ?? ''
  return [...parts, last.endsWith('.git') ? last.slice(0, -'.git'.length) : last].filter(part => part !== '').join('/')
}

function withPath(host: string, path: string): RepositoryAddress | AddressFault {
  const own = trimmed(path)
  return own === '' ? { fault: form } : { host: host.toLowerCase(), path: own }
}

/** An address in its parts, or why it is refused. The fault never contains its text, which may have a token. */
export function readAddress(text: string): RepositoryAddress | AddressFault {
  if (/\s/.test(text)) return { fault: form }
  if (text.startsWith('file:')) return withPath('', text.slice('file:'.length))
  if (!text.includes('://')) {
    const [, host, path] = scp.exec(text) ?? []
    return host === undefined || path === undefined ? { fault: form } : withPath(host, path)
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['https:', 'ssh:'].includes(url.protocol) || url.hostname === '') return { fault: form }
  const open = url.protocol === 'https:' && isToken(decoded(url.username))
  if (url.password !== '' || open || url.search !== '' || url.hash !== '') return { fault: secret }
  return withPath(url.host, decoded(url.pathname))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The default name of a repository: the last part of its address. */
export const nameOfAddress = ({ path }: RepositoryAddress): string => path.slice(path.lastIndexOf('/') + 1)

/** An address without the user and password that a remote may contain. */
export function withoutUser(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}

/** A key that is equal for two addresses of one repository, regardless of user and protocol. */
export const repositoryKey = ({ host, path }: RepositoryAddress): string => `${host}/${path}`

const wellKnown: Readonly<Record<string, z.output<typeof Forge>>> = {
  'github.com': 'github',
  'ssh.github.com:443': 'github',
  'gitlab.com': 'gitlab',
  'gitea.com': 'gitea',
  'codeberg.org': 'forgejo',
  '': 'plain',
}

/** The forge of a well-known host; undefined for any other. */
export const forgeOfAddress = ({ host }: RepositoryAddress): z.output<typeof Forge> | undefined => wellKnown[host]

type Pages = Readonly<Record<'commit' | 'branch' | 'pull_request', string>>

/** The path of a change's page, relative to that of its repository. */
const pages: Readonly<Partial<Record<z.output<typeof Forge>, Pages>>> = {
  github: { commit: 'commit', branch: 'tree', pull_request: 'pull' },
  gitlab: { commit: '-/commit', branch: '-/tree', pull_request: '-/merge_requests' },
  gitea: { commit: 'commit', branch: 'src/branch', pull_request: 'pulls' },
  forgejo: { commit: 'commit', branch: 'src/branch', pull_request: 'pulls' },
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** The address of a change's page on its forge; null without a forge (git 3). */
export function pageOfChange(
  { url, forge }: { readonly url: string; readonly forge: z.output<typeof Forge> },
  { kind, key }: { readonly kind: keyof Pages; readonly key: string },
): string | null {
  const address = readAddress(url)
  const page = pages[forge]?.[kind]
  if (page === undefined || 'fault' in address) return null
  // The port of ssh is not the one of the pages.
  const host = url.startsWith('https:') ? address.host : address.host.split(':', 1)[0]!
  return `https://${host}/${encoded(address.path)}/${page}/${encoded(key)}`
}
