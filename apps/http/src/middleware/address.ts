import { BlockList, isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { type HttpContext, type HttpEnv, nodeOf } from '../http-env.ts'

const socketAddress = (c: HttpContext): string => nodeOf(c).incoming?.socket.remoteAddress ?? ''

/** The address that a request came from, as reported by trusted proxies; empty for a request made in this process. */
export const addressOf = (c: HttpContext): string => c.get('address') ?? socketAddress(c)

/** An IPv4 address without IPv6's mapped form. */
function plain(address: string): string {
  const inner = address.toLowerCase().startsWith(mapped) ? address.slice(mapped.length) : address
  return isIP(inner) === 4 ? inner : address
}

const mapped = '::ffff:'

/** Trusted proxies: addresses, and networks such as `10.0.0.0/8`. */
export class TrustedProxies {
  readonly #list = new BlockList()

  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = '', prefix] = proxy.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (prefix === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(prefix), family)
    }
  }

  has(address: string): boolean {
    const family = isIP(plain(address))
    return family !== 0 && this.#list.check(plain(address), family === 6 ? 'ipv6' : 'ipv4')
  }

  /** The last address in the chain that is not a proxy: the caller may have made up those before it. */
  callerOf(socket: string, forwarded: string): string {
    if (!this.has(socket)) return socket
    const way = forwarded
      .split(',')
      .map(one => one.trim())
      .filter(one => isIP(plain(one)) !== 0)
    return way.findLast(one => !this.has(one)) ?? socket
  }
}

/** Records the address that a request came from, as reported by trusted proxies. */
export const forwardedAddress =
  (proxies: TrustedProxies): MiddlewareHandler<HttpEnv> =>
  (c, next) => {
    c.set('address', proxies.callerOf(socketAddress(c), c.req.header('x-forwarded-for') ?? ''))
    return next()
  }
