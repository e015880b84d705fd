import { generateCookie, getCookie } from 'hono/cookie'
import { basePathOf } from '../base-path.ts'
import type { HttpContext } from '../http-env.ts'
import type { Halves } from './sessions.ts'

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

const hostOf = (c: HttpContext): string => c.req.header('host') ?? ''

/** Whether a request addresses this machine by a loopback name. */
export const isLoopbackHost = (c: HttpContext): boolean => loopback.test(hostOf(c))

/**
 * The name of the cookie. Outside this machine its prefix ensures that no other host and no page below another path can
 * set it. Below a base path it only ensures that no page without TLS can, and the cookie is named after the path,
 * because other services may be next to it. On this machine browsers ignore ports, so that two services need two names.
 */
function nameOf(c: HttpContext): string {
  const base = basePathOf(c).replaceAll('/', '.')
  if (isLoopbackHost(c)) return `specboard_session_${/:(\d+)$/.exec(hostOf(c))?.[1] ?? '0'}${base}`
  return base === '' ? '__Host-specboard_session' : `__Secure-specboard_session${base}`
}

/** The header with the second half of the session, which the page keeps. */
const halfHeader = 'x-session-half'

/** The halves of the session in a request; undefined without a cookie. */
export function halvesOf(c: HttpContext): Halves | undefined {
  const token = getCookie(c, nameOf(c))
  return token === undefined ? undefined : { token, half: c.req.header(halfHeader) ?? '' }
}

/** The header that gives the browser a session's token; an empty one removes it. */
export const cookieHeader = (c: HttpContext, token: string, lastsMs: number): string =>
  generateCookie(nameOf(c), token, {
    path: `${basePathOf(c)}/`,
    httpOnly: true,
    sameSite: 'Strict',
    secure: !isLoopbackHost(c),
    maxAge: token === '' ? 0 : Math.round(lastsMs / 1_000),
  })

/**
 * Whether a request comes from a page of this service: browsers say so in a header that no page can set, and send the
 * origin with every write (web 1).
 */
export function isOwnOrigin(c: HttpContext): boolean {
  const { req } = c
  if (req.header('sec-fetch-site') !== 'same-origin') return false
  const origin = req.header('origin')
  if (origin === undefined) return req.method === 'GET' || req.method === 'HEAD'
  return isOrigin(origin, c)
}

/** Whether a request is marked as coming from another page; one not from a browser has no mark. */
export function isForeign(c: HttpContext): boolean {
  const { req } = c
  const origin = req.header('origin')
  return (
    (req.header('sec-fetch-site') ?? 'same-origin') !== 'same-origin' || (origin !== undefined && !isOrigin(origin, c))
  )
}

const isOrigin = (origin: string, c: HttpContext): boolean =>
  URL.canParse(origin) && new URL(origin).host === hostOf(c).toLowerCase()
