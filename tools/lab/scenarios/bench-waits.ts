/**
 * Measures calls that wait: how much 50 of them slow 50 unrelated writes per second on their board, and how soon one of
 * them gets a card that becomes ready (crew 5.1, crew 11).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inParallel } from '../harness/in-parallel.ts'
import { scenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'
import { p50, ratio } from '../harness/statistics.ts'
import { Waiters } from '../load/waiters.ts'

/** How long to wait after the number of waiting calls has changed, ms. */
const settleMs = 500

export default scenario({
  summary: 'writes on a board while agents wait there for work, and how soon they have it',
  options: { waiters: 50, perSecond: 50, seconds: 10, rounds: 6, ready: 30, restMs: 3_000 },
  short: { waiters: 6, perSecond: 20, seconds: 1, rounds: 1, ready: 3, restMs: 300 },
  run: async (lab, { waiters: count, perSecond, seconds, rounds, ready, restMs }) => {
    const server = await lab.start()
    const { client } = server
    const { id: board_id } = await client.createBoard({ name: 'Waits', description: '' })
    const { id: spec_id } = await client.createSpec({ board_id, status: 'in_progress', title: 'Spec' })
    const cards = await inParallel(Array.from({ length: 20 }), 4, async (_, index) => {
      const { id } = await client.createCard({ board_id, spec_id, title: `Held ${index}`, claim: true })
      return id
    })
    const waiters = await Waiters.of(server, board_id, count)
    lab.atEnd(() => waiters.end())
    const write = (turn: number) => writeTo(server, cards[turn % cards.length]!, turn)
    await atRate(perSecond, seconds, write)
    const [alone, beside]: [number[], number[]] = [[], []]
    // In turns, so that a slow moment of the machine affects both.
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await atRate(perSecond, seconds, write)))
      waiters.begin()
      await pause(settleMs)
      beside.push(...(await atRate(perSecond, seconds, write)))
      waiters.end()
      await pause(settleMs)
    }
    const rate = `${perSecond} writes a second`
    lab.report.times(`${rate}, nobody waits`, alone)
    lab.report.times(`${rate}, ${count} wait`, beside, {
      'p50 to that': ratio(p50(beside), p50(alone), 2),
      goal: '≤ 1.1',
    })
    waiters.begin()
    await pause(settleMs)
    const took: number[] = []
    const processor = server.processorMs
    for (let index = 0; index < ready; index++) {
      const answer = waiters.nextAnswer()
      await client.createCard({ board_id, spec_id, title: `Ready ${index}` })
      const writtenAt = performance.now()
      took.push(Math.max(0, (await answer) - writtenAt))
      await pause(restMs)
    }
    lab.report.times('a card in hands after the answer of its write', took, {
      goal: '≤ 250',
      'processor ms of all waits': (server.processorMs - processor) / ready,
    })
  },
})

/** A write that gives nothing to do to any waiting agent: a comment, or a label of a claimed card. */
function writeTo({ client }: Service, card_id: string, turn: number): Promise<unknown> {
  return turn % 2 === 0
    ? client.createComment({ card_id, content: `Seen ${turn}` })
    : client.updateCard({ card_id, labels: [`label ${turn}`] })
}

/** Writes at a fixed rate, whether or not earlier writes have been answered; returns the duration of each, ms. */
async function atRate(
  perSecond: number,
  seconds: number,
  write: (turn: number) => Promise<unknown>,
): Promise<number[]> {
  const began = performance.now()
  const writes = Array.from({ length: perSecond * seconds }, async (_, turn) => {
    await pause(Math.max(0, (turn * 1_000) / perSecond - (performance.now() - began)))
    const started = performance.now()
    await write(turn)
    return performance.now() - started
  })
  return Promise.all(writes)
}
