/** The addresses that a webhook may be sent to (work 6). Pure: nothing is looked up. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** A resolved address. */
export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/**
 * IPv4 networks that are internal, or lead there: this host, private, shared, link-local, special, multicast, reserved.
 */
const insideV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** The one part of IPv6 that is routed over the internet. */
const globalV6: readonly [string, number] = ['2000::', 3]

/** Parts of it that tunnel to other addresses or are special: protocol assignments with Teredo, and 6to4. */
const specialV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2002::', 16],
]

const inside = new BlockList()
for (const [network, prefix] of insideV4) inside.addSubnet(network, prefix, 'ipv4')
const outside = new BlockList()
outside.addSubnet(...globalV6, 'ipv6')
for (const [network, prefix] of specialV6) inside.addSubnet(network, prefix, 'ipv6')

/** IPv6 addresses that represent an IPv4 address: mapped ones, and those of NAT64. */
const carriesV4 = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** The IPv4 address that an IPv6 address in its shortest form represents; undefined when there is none. */
function carriedV4(shortest: string): string | undefined {
  const [, high, low] = carriesV4.exec(shortest) ?? []
  if (high === undefined || low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** An IPv6 address in its shortest form, in hexadecimal digits only. */
const shortestV6 = (address: string): string => new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)

/** Whether an address is internal: anything but an address of the public internet. */
export function isInside(address: string): boolean {
  if (isIPv4(address)) return inside.check(address, 'ipv4')
  if (!isIPv6(address)) return true
  const shortest = shortestV6(address)
  const carried = carriedV4(shortest)
  if (carried !== undefined) return isInside(carried)
  return !outside.check(shortest, 'ipv6') || inside.check(shortest, 'ipv6')
}

/** Names that are internal wherever they are looked up. */
const insideNames = /^(?:.+\.)?localhost$|^metadata\.google\.internal$/

/**
 * The host of an address in the form in which it is compared and connected to: without the brackets of IPv6, and
 * without a trailing dot.
 */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** The address in a host that is written as one; undefined for a name. */
export function literalAddress(host: string): Address | undefined {
  if (isIPv4(host)) return { address: host, family: 4 }
  return isIPv6(host) ? { address: host, family: 6 } : undefined
}

/** The hosts in SPECBOARD_WEBHOOK_ALLOWED_HOSTS, with or without a port. */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map(name => name.toLowerCase().replace(/^\[(.*)\]$/, '$1')))
  }

  /** Whether the host of a URL may be reached whatever its address is, and without TLS. */
  has(url: URL): boolean {
    return this.#names.has(hostOf(url)) || this.#names.has(url.host)
  }
}

/** Why an address is not allowed for a webhook, judging by the address alone; undefined when it is allowed (work 6). */
export function faultOfUrl(text: string, allowed: AllowedHosts): string | undefined {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password'
  if (allowed.has(url)) return undefined
  if (url.protocol !== 'https:') return `must be https: ${nameIt(url)} to allow http`
  const host = hostOf(url)
  const literal = literalAddress(host)
  const leadsInside = literal === undefined ? insideNames.test(host) : isInside(literal.address)
  return leadsInside ? `must not lead to an internal address: ${nameIt(url)} to allow it` : undefined
}

const nameIt = (url: URL): string => `name ${hostOf(url)} in SPECBOARD_WEBHOOK_ALLOWED_HOSTS`

/** Why a host at its current addresses must not be connected to; undefined when it may. */
export function faultOfAddresses(addresses: readonly Address[]): string | undefined {
  const found = addresses.find(({ address }) => isInside(address))
  return found === undefined ? undefined : `Not sent: ${found.address} is an internal address.`
}
