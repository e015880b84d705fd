/** The session of a client that a verb is run in (harness 3.2). */

/** The argument that names the session of `SPECBOARD_SESSION`, which hooks set where a client lets them; else nothing. */
export function ownSession(variables: NodeJS.ProcessEnv = process.env): { readonly session?: string } {
  const { SPECBOARD_SESSION: session } = variables
  return session && session.length <= 200 ? { session } : {}
}
