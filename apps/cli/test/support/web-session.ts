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
