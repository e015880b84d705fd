import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { World } from './world.ts'

/** The secret of the repositories of tests. */
export const forgeSecret = 'specboard-sample-secret'

/** The signature of bytes by the secret of tests. */
export const signed = (body: string, secret = forgeSecret): string =>
  createHmac('sha256', secret).update(body).digest('hex')

interface Sent {
  readonly event: string
  readonly payload: object
  readonly delivery?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The secret of the repository; by default that of the tests. */
  readonly secret?: string
}

/** A name of an event that tests compare like the ids of the service. */
const newDelivery = (): string => randomUUID().replace(/^(.{14})./, '$17')

const acme = { id: 4711, full_name: 'acme/shop', default_branch: 'main' }

/** Sends an event of GitHub about acme/shop, signed with the secret of tests; returns the answer. */
export async function sendEvent(
  world: World,
  repository: string,
  { event, payload, delivery = newDelivery(), headers = {}, secret = forgeSecret }: Sent,
) {
  const body = JSON.stringify({ repository: acme, ...payload })
  return post(world, repository, body, {
    'x-github-event': event,
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${signed(body, secret)}`,
    ...headers,
  })
}

/** Sends bytes to the door of a repository; returns the status and the answer. */
export async function post(
  world: World,
  repository: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  // biome-ignore lint/suspicious/noExplicitAny: answers as they come
): Promise<{ readonly http: number } & Record<string, any>> {
  const response = await fetch(`${world.running.url}/hooks/forge/${repository}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'error',
  })
  return { http: response.status, ...((await response.json()) as object) }
}

/** Waits until no event of a repository is pending. */
export async function settled(world: World, repository_id: string): Promise<void> {
  for (;;) {
    const waiting = await world.ok('list_forge_deliveries', { repository_id, status: 'queued' })
    if (waiting.length === 0) return
    await pause(10)
  }
}

interface Merged {
  readonly title: string
  readonly base: string
  readonly head: string
  /** The commit of the merge. */
  readonly merge: string
}

/** A merged pull request of acme/shop, as GitHub reports it. */
export const mergedRequest = ({ title, base, head, merge }: Merged) => ({
  action: 'closed',
  pull_request: {
    number: 12,
    state: 'closed',
    title,
    draft: false,
    merged: true,
    merge_commit_sha: merge,
    merged_at: '2026-11-20T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    head: { ref: 'work', sha: head, repo: { full_name: 'acme/shop' } },
    base: { ref: 'main', sha: base, repo: { full_name: 'acme/shop' } },
  },
})
