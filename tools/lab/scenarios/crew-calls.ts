/**
 * The calls that a crew needs for its cards: six executors and a validator finish 30 dependent cards with the tools for
 * models. One executor dies with a claim, one verdict fails. Fails if a card is not done, two agents worked on one at
 * once, a call was refused, or a card took too many calls (crew 11).
 */
import { Cost } from '../../agent-cost/caller.ts'
import { scenario } from '../harness/scenario.ts'
import { CalledCrew } from '../load/called-crew.ts'

/** How many calls a card may take. */
const maxCalls = 12

export default scenario({
  summary: 'calls and tokens of a crew with one death and one failed verdict, for each card',
  engines: ['sqlite', 'postgres'],
  options: { executors: 6, cards: 30 },
  run: async (lab, { executors, cards }) => {
    const { client, url } = await lab.start()
    const cost = new Cost()
    const crew = await CalledCrew.on(url, client, cards, cost)
    const done = await crew.work(executors)
    const { calls, answered, both, refusals } = cost
    lab.report.figure(`${executors} executors, 1 validator, ${cards} cards`, {
      done,
      'worked on by two': crew.twice,
      refusals,
      calls,
      'calls a card': calls / cards,
      goal: `≤ ${maxCalls}`,
      'tokens of answers a card': answered / cards,
      'with arguments': both / cards,
    })
    lab.report.expect(done === cards, 'cards are not done')
    lab.report.expect(crew.twice === 0, 'cards were worked on by two at once')
    lab.report.expect(refusals === 0, 'calls were refused')
    lab.report.expect(calls <= maxCalls * cards, 'a card took too many calls')
  },
})
