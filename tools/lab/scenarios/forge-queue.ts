/** Fills the queue of forge events, and measures how soon it is empty and how much it slows others. */
import type { Client } from '@specboard/client'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'
import { percentile, timed } from '../harness/statistics.ts'
import { drained, eventsOfMinute, openedPull, registered, sendSigned } from '../load/forge-events.ts'

/** Boards that the repositories are on. */
const boards = 4

/** Events that are sent side by side. */
const sideBySide = 8

export default scenario({
  summary: 'a long queue of events of forges: how soon it is empty, and what other callers wait for meanwhile',
  options: { events: 10_000 },
  short: { events: 200 },
  engines: ['sqlite', 'postgres'],
  run: async (lab, { events }) => {
    const server = await lab.start()
    const { client } = server
    const other = await otherCaller(client)
    const alone = await timesUntil(pauseOf(events >= 10_000 ? 5_000 : 500), other)
    const repositories = await repositoriesFor(client, events)
    const began = performance.now()
    let sentMs = 0
    const work = send(server, repositories, events).then(async () => {
      sentMs = performance.now() - began
      for (const repository of repositories) await drained(client, repository)
    })
    const beside = await timesUntil(work, other)
    const ms = performance.now() - began
    lab.report.times('another caller alone', alone)
    lab.report.times('another caller beside the queue', beside)
    lab.report.figure(`${events} events, from the first that is sent`, {
      'sent after s': sentMs / 1_000,
      'empty after s': ms / 1_000,
      goal: '≤ 120',
      'p99 of others': `${(percentile(beside, 0.99) / percentile(alone, 0.99)).toFixed(1)} × (goal ≤ 2)`,
    })
    await allDone(lab, client, repositories, events)
  },
})

const pauseOf = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** A read by another caller, on a board of its own. */
async function otherCaller(client: Client): Promise<() => Promise<unknown>> {
  const { id: board_id } = await client.createBoard({ name: 'Others', description: '' })
  for (let index = 0; index < 50; index++) await client.createCard({ board_id, title: `Card ${index}` })
  return () => client.listCards({ board_id })
}

/** Enough repositories to send a number of events at once, spread over some boards. */
async function repositoriesFor(client: Client, events: number): Promise<string[]> {
  const ofBoard = Math.ceil(events / eventsOfMinute / boards)
  const repositories: string[] = []
  for (let index = 0; index < boards; index++) {
    const { id } = await client.createBoard({ name: `Forge ${index}`, description: '' })
    repositories.push(...(await registered(client, id, ofBoard)))
  }
  return repositories
}

/** The durations of a call, repeated every 20 ms until something is over. */
async function timesUntil(over: Promise<void>, call: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  const ended = over.finally(() => {
    isOver = true
  })
  const took: number[] = []
  while (!isOver) {
    took.push(await timed(call))
    await pauseOf(20)
  }
  await ended
  return took
}

async function send({ url }: Service, repositories: readonly string[], events: number): Promise<void> {
  let next = 0
  const sender = async () => {
    for (let number = ++next; number <= events; number = ++next) {
      const repository = repositories[number % repositories.length]!
      const status = await sendSigned(url, repository, 'pull_request', openedPull(number, 'A thing'))
      if (status !== 202) throw new Error(`Event ${number} was answered ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, sender))
}

/** Every accepted event is processed exactly once. */
async function allDone(lab: Lab, client: Client, repositories: readonly string[], events: number): Promise<void> {
  let done = 0
  for (const repository_id of repositories)
    done += (await client.listForgeDeliveries({ repository_id, status: 'done', limit: 1 })).total
  lab.report.expect(done === events, `${done} of ${events} events are done`)
}
