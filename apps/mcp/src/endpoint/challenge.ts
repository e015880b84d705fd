/** What a request without a valid credential is told (people 3.2). */
import { isAccessToken } from '@specboard/domain'

/** The parameters of a view, which a client pastes as part of the address (mcp 6). */
export const viewParameters: ReadonlySet<string> = new Set([
  'toolsets',
  'tools',
  'exclude',
  'readonly',
  'board_id',
  'schemas',
  'answers',
  'confirm',
])

/** The query of an address without what is no parameter of a view, as it was sent. */
export function viewQuery(search: string): string {
  const parts = search.replace(/^\?/, '').split('&')
  const kept = parts.filter(part => viewParameters.has(part.split('=', 1)[0]!))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** The bearer of a request that may be the access token of a connection; undefined for any other credential. */
export function tokenOf(request: Request): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token !== undefined && isAccessToken(token) ? token : undefined
}

const plain = 'Bearer realm="mcp"'

/** Where the metadata of the resource is that a request asked for. */
function metadataUrl({ url }: Request, publicUrl: string): string {
  const { pathname, search } = new URL(url)
  return `${publicUrl}/.well-known/oauth-protected-resource${pathname}${viewQuery(search)}`
}

/**
 * The `WWW-Authenticate` of a 401. Whoever sent nothing is led to a sign-in, and whoever sent a token that has ended
 * refreshes it. A key that is wrong must be mended, not replaced by a browser window.
 * @param publicUrl the origin at which clients are authorized; undefined where they are not
 */
export function challengeOf(request: Request, publicUrl: string | undefined): string {
  const { headers, url } = request
  const token = tokenOf(request)
  const sentNothing = headers.get('authorization') === null && headers.get('x-api-key') === null && !hasKey(url)
  if (publicUrl === undefined || (!sentNothing && token === undefined)) return plain
  const error = token === undefined ? '' : ' error="invalid_token",'
  return `${plain},${error} resource_metadata="${metadataUrl(request, publicUrl)}", scope="read write"`
}

const hasKey = (url: string): boolean => new URL(url).searchParams.has('api_key')

/** The `WWW-Authenticate` for a connection that may only read, so that its client may ask for more. */
export const insufficientScope = (request: Request, publicUrl: string): string =>
  `Bearer error="insufficient_scope", scope="read write", resource_metadata="${metadataUrl(request, publicUrl)}"`
