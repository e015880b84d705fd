/** Has each client claim a card with the tools of the plugin, starting from an empty home (harness 2). */

import { createClient } from '@specboard/client'
import type { HookClient } from './hook-clients.ts'
import { type Board, makeAgent } from './hooks.ts'
import { type Call, startModel } from './model.ts'
import { makePlace, runClient } from './session.ts'

/** How far a client got, and after how long. */
export interface FirstClaim {
  /** From the first command to the claim, seconds; undefined where no card was claimed. */
  readonly seconds: number | undefined
  /** What the client said. */
  readonly output: string
}

/** Signs an agent in, installs the plugin, and has the client claim the next card of its board. */
export async function firstClaim(client: HookClient, board: Board, bin: string, folder: string): Promise<FirstClaim> {
  const { service, id: board_id } = board
  const name = `${client.title}, first card`
  const key = await makeAgent(service, board_id, name)
  await service.client.createCard({ board_id, title: 'Name the currencies' })
  const claim: Call = { tool: client.claims ?? /claim_next_card/, input: { board_id: board.key } }
  const model = await startModel([...(client.search ?? []), claim])
  const place = { ...makePlace(folder, { url: service.url, board: board.key }), model: model.url }
  const start = Date.now()
  try {
    const output = await runClient(client, place, { bin, url: service.url, key })
    const { items } = await service.client.listClaims({ board_id })
    const ownClaim = items.find(({ agent_name }) => agent_name === name)
    if (ownClaim === undefined) return { seconds: undefined, output }
    // The next client works on the same files.
    await createClient({ url: service.url, key }).releaseClaim({ card_id: ownClaim.card_id })
    return { seconds: (Date.parse(ownClaim.claimed_at) - start) / 1_000, output }
  } finally {
    await model.stop()
  }
}
