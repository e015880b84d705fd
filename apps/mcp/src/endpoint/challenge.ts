/** The answer to a request without a valid credential (people 3.2). */
import { isAccessToken } from '@specboard/domain'

/** The parameters of a view, which a client receives as part of a pasted address (mcp 6). */
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

/** The query of an address with only the view parameters, as sent. */
function viewQuery(search: string): string {
  const parts = search.replace(/^\?/, '').split('&')
  const viewParts = parts.filter(part => viewParameters.has(part.split('=', 1)[0]!))
  return viewParts.length === 0 ? '' : `?${viewParts.join('&')}`
}

/** The bearer of a request that may be the access token of a connection; undefined for any other credential. */
export function tokenOf(request: Request): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token !== undefined && isAccessToken(token) ? token : undefined
}

const plain = 'Bearer realm="mcp"'

/** The address of the metadata of the requested resource. */
function metadataUrl({ url }: Request, publicUrl: string): string {
  const { pathname, search } = new URL(url)
  const resource = new URL(publicUrl + pathname)
  return `${resource.origin}/.well-known/oauth-protected-resource${resource.pathname}${viewQuery(search)}`
}

/**
 * The `WWW-Authenticate` of a 401. A client that sent nothing is led to a sign-in, and one whose token has expired
 * refreshes it. A wrong key must be corrected, not replaced by a browser window.
 * @param publicUrl the address at which clients are authorized; undefined if they are not
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

/** The `WWW-Authenticate` for a read-only connection, so that its client can ask for more. */
export const insufficientScope = (request: Request, publicUrl: string): string =>
  `Bearer error="insufficient_scope", scope="read write", resource_metadata="${metadataUrl(request, publicUrl)}"`
