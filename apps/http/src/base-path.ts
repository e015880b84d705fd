import type { HttpContext } from './http-env.ts'

/**
 * The beginning of the address of a document that RFC 8414 and RFC 9728 place at the root of a host, before any path.
 */
const wellKnown = /^\/\.well-known\/[\w-]+/

/**
 * The target of a request below a base path as the service knows it. A target without the base path is returned
 * unchanged: some proxies remove the base path, and probes come without it.
 *
 * @example
 * withoutBase('/board/api/v1/me', '/board') // '/api/v1/me'
 * withoutBase('/.well-known/oauth-protected-resource/board/mcp', '/board') // '/.well-known/oauth-protected-resource/mcp'
 */
export function withoutBase(target: string, base: string): string {
  const [document = ''] = wellKnown.exec(target) ?? []
  const path = target.slice(document.length)
  if (!path.startsWith(base)) return target
  const rest = path.slice(base.length)
  if (rest !== '' && !'/?'.includes(rest[0]!)) return target
  return document !== '' || rest.startsWith('/') ? document + rest : `/${rest}`
}

/** The base path of the service that answers a request; empty at the root of its host. */
export const basePathOf = (c: HttpContext): string => c.get('basePath') ?? ''
