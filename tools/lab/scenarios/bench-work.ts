/**
 * Measures work on one board: list_ready_cards and claim_next_card with 10,000 open cards and 20,000 dependencies, the
 * longest time in which no other call was answered, and 50 agents that claim and finish 2,000 cards concurrently.
 */
import { makeOpenCards } from '../data/open-cards.ts'
import { scenario } from '../harness/scenario.ts'
import { reportCrowd } from '../load/crowd.ts'
import { measureCalls } from '../load/measured.ts'

/** The goals for the median of a call (work 2), and the maximum of `/health`. */
const goals = { list: '≤ 25', claim: '≤ 30', health: '≤ 50' }

export default scenario({
  summary: 'ready cards and claims among 10,000 open cards, 50 agents that finish 2,000 cards at once',
  options: { open: 10_000, dependencies: 20_000, agents: 50, cards: 2_000 },
  short: { open: 200, dependencies: 300, agents: 4, cards: 20 },
  run: async (lab, { open, dependencies, agents, cards }) => {
    const board_id = await makeOpenCards(lab, 'data', { cards: open, dependencies })
    const server = await lab.start()
    const { client } = server
    const watch = lab.watch(server)
    const slowest = async () => ({ '/health at most ms': (await watch.times()).slowest })
    const measure = (name: string, run: () => Promise<unknown>, more = {}) =>
      measureCalls(lab.report, server, name, run, more)
    // The modules of the cards are loaded with their first call.
    const { id: empty } = await client.createBoard({ name: 'Empty', description: '' })
    await client.listReadyCards({ board_id: empty, limit: 1 })
    await watch.times()
    const list = (query: object) => () => client.listReadyCards({ board_id, ...query })
    const { ms } = await server.taken(list({ limit: 20 }))
    lab.report.figure('first list_ready_cards', { ms, ...(await slowest()) })
    await measure('list_ready_cards, 20 of them', list({ limit: 20 }), { goal: goals.list })
    await measure('list_ready_cards, all', list({}))
    await measure('list_cards, 20 that wait for none', () => client.listCards({ board_id, blocked: false, limit: 20 }))
    let card_id = ''
    const claim = async () => {
      card_id = (await client.claimNextCard({ board_id })).claim!.card_id
    }
    await measure('claim_next_card', claim, { goal: goals.claim, undo: () => client.releaseClaim({ card_id }) })
    await measure('claim_next_card with start', () => client.claimNextCard({ board_id, start: true }))
    lab.report.figure('meanwhile', { ...(await slowest()), goal: goals.health })
    await reportCrowd(lab.report, [server.url], client, { agents, cards })
  },
})
