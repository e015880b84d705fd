import { type Client, createClient } from '@specboard/client'
import type { DatabasePlace } from '@specboard/domain'
import { ownerLink } from '../../../apps/cli/src/web-link.ts'
import { sessionOf } from '../../../apps/cli/test/support/web-session.ts'

const own = { 'sec-fetch-site': 'same-origin' }

/** A person in a session of a browser. */
export interface Present {
  /** A client that calls as the page does. */
  readonly client: Client
  /** What a request of the page carries. */
  readonly page: { readonly headers: Readonly<Record<string, string>> }
}

/** Posts JSON from the page. */
export const postFromPage = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Whoever a one-time link signs in, present. */
export async function byLink(url: string, link: string): Promise<Present> {
  const answer = await postFromPage(url, '/web/session/link', { token: link.slice(link.indexOf('#') + 1) })
  if (!answer.ok) throw new Error(`/web/session/link answered ${answer.status}.`)
  const headers = { ...own, origin: url, ...(await sessionOf(answer)) }
  const client = createClient({
    url,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }),
  })
  return { client, page: { headers } }
}

/** The Local Owner of a service, present. */
export const presentOwner = async (place: DatabasePlace, url: string): Promise<Present> =>
  byLink(url, (await ownerLink(place, url))!)
