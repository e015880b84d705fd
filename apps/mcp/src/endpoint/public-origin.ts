/**
 * The origin at which the caller reaches the service: that of its request, over TLS if a proxy says that it terminated
 * it. Whoever sends the header without a proxy gets wrong addresses, but misleads nobody else.
 */
export function publicOrigin({ url, headers }: Request): string {
  const { origin, host } = new URL(url)
  return headers.get('x-forwarded-proto')?.toLowerCase() === 'https' ? `https://${host}` : origin
}
