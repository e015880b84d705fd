import { type Client, createClient } from '@specboard/client'
import type { DatabasePlace } from '@specboard/domain'
import { ownerLink } from '../../../apps/cli/src/web-link.ts'
import { ownPage, signedInByLink } from '../../../apps/cli/test/support/web-session.ts'

/** A person in a session of a browser. */
export interface BrowserSession {
  /** A client that calls as the page does. */
  readonly client: Client
  /** The headers of a request by the page. */
  readonly page: { readonly headers: Readonly<Record<string, string>> }
}

/** Signs a person in by a one-time link; returns the person's session. */
export async function byLink(url: string, link: string): Promise<BrowserSession> {
  const headers = { ...ownPage, origin: url, ...(await signedInByLink(url, link)) }
  const client = createClient({
    url,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }),
  })
  return { client, page: { headers } }
}

/** A session of the Local Owner of a service. */
export const ownerSession = async (place: DatabasePlace, url: string): Promise<BrowserSession> =>
  byLink(url, (await ownerLink(place, url))!)
