/**
 * Lets a crew whose executors may die finish the cards of a board: each executor completes a card or dies with its
 * claim, and another one starts in its place. Fails if a card is neither done nor in a person's inbox, or was worked on
 * by two at once (crew 4).
 */
import { scenario } from '../harness/scenario.ts'
import { Crew } from '../load/dying-crew.ts'

export default scenario({
  summary: 'executors that die at work leave no card behind, and none is worked on by two',
  engines: ['sqlite', 'postgres'],
  options: { agents: 50, cards: 2_000, dying: 0.1 },
  short: { agents: 5, cards: 30 },
  run: async (lab, { agents, cards, dying }) => {
    const { client, url } = await lab.start()
    const crew = await Crew.on(url, client, { cards, dying })
    const began = performance.now()
    await crew.work(agents)
    const minutes = (performance.now() - began) / 60_000
    const { done, inInbox, untold } = await crew.outcome()
    const { deaths, failed, twice } = crew
    if (untold.length > 0) lab.report.say(`untold: ${untold.slice(0, 20).join(', ')}`)
    lab.report.run('pnpm crew', `${agents} agents, ${cards} cards`, [
      `${done} done, ${inInbox} in a person's inbox, ${untold.length} untold, ${twice} worked on by two at once`,
      `${deaths} died at work, ${failed} verdicts failed`,
      `${minutes.toFixed(1)} min`,
    ])
    lab.report.expect(untold.length === 0, 'cards are neither done nor in an inbox')
    lab.report.expect(twice === 0, 'cards were worked on by two at once')
  },
})
