/** The session of a client that a verb is run in (harness 3.2). */

/**
 * The argument that names the session in `SPECBOARD_SESSION`, which hooks set if the client allows it; empty if it is
 * not set.
 */
export function ownSession(variables: NodeJS.ProcessEnv = process.env): { readonly session?: string } {
  const { SPECBOARD_SESSION: session } = variables
  return session && session.length <= 200 ? { session } : {}
}
