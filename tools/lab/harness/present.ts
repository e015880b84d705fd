import { type Client, createClient } from '@specboard/client'
import type { DatabasePlace } from '@specboard/domain'
import { ownerLink } from '../../../apps/cli/src/web-link.ts'
import { type SessionHeaders, sessionOf } from '../../../apps/cli/test/support/web-session.ts'

const own = { 'sec-fetch-site': 'same-origin' }

/** A client that calls as the page does, in the session of a browser. */
export const inSession = (url: string, session: SessionHeaders): Client =>
  createClient({
    url,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), ...own, origin: url, ...session },
      }),
  })

/** Whoever a one-time link signs in, present. */
export async function byLink(url: string, link: string): Promise<Client> {
  const answer = await fetch(`${url}/web/session/link`, {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.slice(link.indexOf('#') + 1) }),
  })
  if (!answer.ok) throw new Error(`/web/session/link answered ${answer.status}.`)
  return inSession(url, await sessionOf(answer))
}

/** The Local Owner of a service, present. */
export const presentOwner = async (place: DatabasePlace, url: string): Promise<Client> =>
  byLink(url, (await ownerLink(place, url))!)
