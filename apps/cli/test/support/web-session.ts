/** How a browser marks requests of the service's own pages. */
export const ownPage = { 'sec-fetch-site': 'same-origin' }

/** Posts JSON from a page of the service. */
export const postFromPage = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...ownPage, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The session that a sign-in begins. */
export async function signedIn(url: string, path: string, body: unknown): Promise<SessionHeaders> {
  const answer = await postFromPage(url, path, body)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
  return sessionOf(answer)
}

/** The session that a one-time link begins. */
export const signedInByLink = (url: string, link: string): Promise<SessionHeaders> =>
  signedIn(url, '/web/session/link', { token: link.slice(link.indexOf('#') + 1) })

/** Both halves of a browser's session, as the headers of a request (web 1). */
export interface SessionHeaders {
  readonly cookie: string
  readonly 'x-session-half': string
}

/** The session that an answer begins. */
export async function sessionOf(answer: Response): Promise<SessionHeaders> {
  const { half } = (await answer.json()) as { readonly half: string }
  return { cookie: cookieOf(answer), 'x-session-half': half }
}

/** The cookie that an answer sets, as a request sends it. */
export const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
