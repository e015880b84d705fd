/** Headers of every answer; the docs pages bring a policy of their own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** What a Response takes as its body. */
export type BodyOf = ConstructorParameters<typeof Response>[0]

const complete = new WeakSet<Response>()

/** An answer with all headers at once: adding them to a made response would build it twice. */
export function reply(
  requestId: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: BodyOf,
): Response {
  const response = new Response(body ?? null, {
    status,
    headers: { ...securityHeaders, ...headers, 'x-request-id': requestId },
  })
  complete.add(response)
  return response
}

/** Gives an answer that was made elsewhere the headers that it lacks. */
export function completed(response: Response, requestId: string): void {
  if (complete.has(response)) return
  response.headers.set('x-request-id', requestId)
  for (const [name, value] of Object.entries(securityHeaders))
    if (!response.headers.has(name)) response.headers.set(name, value)
}
