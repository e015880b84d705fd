import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@specboard/client'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, expect } from 'vitest'
import { ServerProcess } from './support/command.ts'
import { forgeSecret, signed } from './support/forge.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specboard-forge-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** The number of kills, and of events sent each time; SPECBOARD_FORGE_KILLS sets a higher number of kills. */
const kills = Number(process.env.SPECBOARD_FORGE_KILLS ?? 3)
const eventsAtOnce = 20

/** A push of one commit to a branch of its own. */
function pushOf(number: number, ref: string) {
  const sha = number.toString(16).padStart(40, '0')
  return {
    ref: `refs/heads/work-${number}`,
    before: '0'.repeat(40),
    after: sha,
    repository: { id: 4711, full_name: 'acme/shop', default_branch: 'main' },
    commits: [{ id: sha, message: `${ref} ${number}`, timestamp: '2026-11-20T08:00:00Z', author: { name: 'Ada' } }],
  }
}

/** Sends an event; returns whether the answer says that it is kept. */
async function isKept(url: string, repository: string, number: number, ref: string): Promise<boolean> {
  const body = JSON.stringify(pushOf(number, ref))
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-github-delivery': `event-${number}`,
    'x-hub-signature-256': `sha256=${signed(body)}`,
  }
  try {
    const response = await fetch(`${url}/hooks/forge/${repository}`, { method: 'POST', headers, body })
    return response.status === 202
  } catch {
    return false
  }
}

/** Everything that a list has. */
async function pagesOf<Item>(
  page: (offset: number) => Promise<{ readonly items: readonly Item[]; readonly total: number }>,
): Promise<Item[]> {
  const all: Item[] = []
  for (;;) {
    const { items, total } = await page(all.length)
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** How often changes were recorded on a board. */
async function recordedOn(client: ReturnType<typeof createClient>, board_id: string): Promise<number> {
  let count = 0
  for (let after = 0; ; ) {
    const { events, last_sequence, more } = await client.listBoardEvents({
      board_id,
      action: 'changes_recorded',
      after,
      limit: 500,
    })
    count += events.length
    if (!more) return count
    after = last_sequence
  }
}

testOnSqlite(
  'kill -9 while events of a forge are read: none that was answered is lost, and none happens twice (git 2)',
  async () => {
    const folder = join(root, 'data')
    let server = await ServerProcess.start(folder)
    const key = server.key!
    const clientNow = () => createClient({ url: server.url, key })
    const { id: board_id } = await clientNow().createBoard({ name: 'Shop', description: '' })
    const url = 'https://github.com/acme/shop'
    const repository = await clientNow().createRepository({ board_id, url, webhook_secret: forgeSecret })
    const { ref } = await clientNow().createCard({ board_id, title: 'Sell' })
    const acknowledged: number[] = []
    for (let round = 0; round <= kills; round++) {
      const numbers = Array.from({ length: eventsAtOnce }, (_, index) => round * eventsAtOnce + index + 1)
      const deliveries = numbers.map(async number => {
        if (await isKept(server.url, repository.id, number, ref)) acknowledged.push(number)
      })
      if (round < kills) {
        // After the first answer, while the others are still under way.
        await Promise.race(deliveries)
        await server.end('SIGKILL')
        await Promise.all(deliveries)
        server = await ServerProcess.start(folder)
      } else await Promise.all(deliveries)
    }
    const filter = { repository_id: repository.id }
    while ((await clientNow().listForgeDeliveries({ ...filter, status: 'queued' })).total > 0) await pause(20)
    const done = await pagesOf(offset => clientNow().listForgeDeliveries({ ...filter, limit: 200, offset }))
    expect(done.every(({ status }) => status === 'done')).toBe(true)
    const names = new Set(done.map(({ delivery_id }) => delivery_id))
    expect(acknowledged.filter(number => !names.has(`event-${number}`))).toEqual([])
    expect(names.size).toBe(done.length)
    const links = { board_id, kind: 'commit', limit: 1 }
    expect((await clientNow().listChanges(links)).total).toBe(done.length)
    expect(await recordedOn(clientNow(), board_id)).toBe(done.length)
    await server.end()
  },
  // Every kill starts another server.
  60_000 + kills * 20_000,
)
