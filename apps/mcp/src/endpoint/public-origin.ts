/**
 * The origin by which the caller reaches the service: that of its request, over TLS where a proxy says that it ended
 * it. Whoever sends the header without a proxy is answered wrong addresses and misleads nobody else.
 */
export function publicOrigin({ url, headers }: Request): string {
  const { origin, host } = new URL(url)
  return headers.get('x-forwarded-proto')?.toLowerCase() === 'https' ? `https://${host}` : origin
}
