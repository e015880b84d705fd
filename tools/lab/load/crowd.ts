import { type Client, createClient } from '@specboard/client'
import { doneReport } from '../../../apps/cli/test/support/report.ts'
import { inParallel } from '../harness/in-parallel.ts'
import type { Report } from '../harness/report.ts'

/**
 * Agents that claim and finish cards concurrently; counts the cards that two of them worked on, and those that nobody
 * finished.
 */
export async function reportCrowd(
  report: Report,
  urls: readonly string[],
  owner: Client,
  { agents, cards }: { readonly agents: number; readonly cards: number },
): Promise<void> {
  const { id: board_id } = await owner.createBoard({ name: 'Crowd', description: '' })
  const { id: spec_id } = await owner.createSpec({ board_id, status: 'in_progress', title: 'Spec' })
  await inParallel(Array.from({ length: cards }), 16, (_, index) =>
    owner.createCard({ board_id, spec_id, title: `Card ${index}` }),
  )
  const crew = await inParallel(Array.from({ length: agents }), 8, async (_, index) => {
    const agent = await owner.createAgent({ name: `Agent ${index}` })
    await owner.grantBoardAccess({ agent_id: agent.id, board_id })
    return urls.map(url => createClient({ url, key: agent.api_key! }))
  })
  const workedBy = new Map<string, number>()
  const started = performance.now()
  await Promise.all(crew.map(clients => workOn(clients, board_id, workedBy)))
  const seconds = (performance.now() - started) / 1_000
  const worked = [...workedBy.values()]
  const done = await owner.listCards({ board_id, status: 'done' })
  report.figure(`${agents} agents, ${cards} cards`, {
    s: seconds,
    'worked on by two': worked.filter(times => times > 1).length,
    'not finished': cards - done.total,
    'claims left': (await owner.listClaims({ board_id })).total,
  })
}

/** Takes card after card until none is left, alternating between nodes. */
async function workOn(clients: readonly Client[], board_id: string, workedBy: Map<string, number>): Promise<void> {
  for (let card = 0; ; card++) {
    const client = clients[card % clients.length]!
    const { claim } = await client.claimNextCard({ board_id, start: true })
    if (claim === null) return
    workedBy.set(claim.card_id, (workedBy.get(claim.card_id) ?? 0) + 1)
    await client.moveCard({ card_id: claim.card_id, target_status: 'done', ...doneReport })
  }
}
