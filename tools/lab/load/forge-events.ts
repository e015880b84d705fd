/** Signed events of a forge, as GitHub sends them. */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@specboard/client'

/** The secret of the repositories that `registered` makes. */
export const forgeSecret = 'a secret of a benchmark'

/** The limit of events per minute of a repository, with some to spare (git 2). */
export const eventsOfMinute = 590

/** The repository that events are about. */
export const acme = { id: 1, full_name: 'acme/shop', default_branch: 'main' }

/** A sha of some number. */
export const shaOf = (number: number): string => number.toString(16).padStart(40, '0')

/** The event of a pull request that is opened. */
export const openedPull = (number: number, title: string) => ({
  action: 'opened',
  repository: acme,
  pull_request: {
    number,
    state: 'open',
    title,
    draft: false,
    merged: false,
    updated_at: new Date().toISOString(),
    head: { ref: `work-${number}`, sha: shaOf(1_000_000 + number), repo: { full_name: acme.full_name } },
    base: { ref: 'main', sha: shaOf(0), repo: { full_name: acme.full_name } },
  },
})

/** Sends an event to a repository, signed with its secret; returns the status of the answer. */
export async function sendSigned(
  url: string,
  repository: string,
  event: string,
  payload: unknown,
  secret = forgeSecret,
): Promise<number> {
  const body = JSON.stringify(payload)
  const answer = await fetch(`${url}/hooks/forge/${repository}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  })
  await answer.body?.cancel()
  return answer.status
}

/** Makes repositories with different names on a board; returns their ids. */
export async function registered(client: Client, board_id: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const named = { name: `shop ${randomUUID()}`, url: 'https://github.com/acme/shop' }
    ids.push((await client.createRepository({ board_id, ...named, webhook_secret: forgeSecret })).id)
  }
  return ids
}

/** Waits until nothing is queued for a repository. */
export async function drained(client: Client, repository_id: string): Promise<void> {
  const waiting = () => client.listForgeDeliveries({ repository_id, status: 'queued', limit: 1 })
  while ((await waiting()).items.length > 0) await pause(20)
}
