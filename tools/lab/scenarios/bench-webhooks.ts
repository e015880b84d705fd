/**
 * Measures webhooks: how long after the answer to its write an event reaches a receiver that answers at once, for one
 * webhook and for sixteen of one board (work 6).
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { scenario } from '../harness/scenario.ts'

/** The pause between two writes, ms, so that the messages of the previous one do not delay the next. */
const pauseMs = 100

/** How long the last events are waited for, ms. */
const patienceMs = 10_000

export default scenario({
  summary: 'when an event reaches the receivers of one webhook and of sixteen',
  options: { writes: 100 },
  short: { writes: 5 },
  run: async (lab, { writes }) => {
    const arrived: { readonly id: string; readonly at: number }[] = []
    const receiver = createServer(async (request, response) => {
      const at = performance.now()
      const { data } = (await json(request)) as { data: { entity_id: string } }
      response.writeHead(204).end()
      arrived.push({ id: data.entity_id, at })
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    lab.atEnd(() => receiver.close().closeAllConnections())
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const came = async (count: number) => {
      const until = performance.now() + patienceMs
      while (arrived.length < count && performance.now() < until) await pause(10)
      return arrived.splice(0)
    }
    const { client } = await lab.start('data', { SPECBOARD_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
    // As many receivers of one board as concurrent messages are allowed.
    for (const webhooks of [1, 16]) {
      const { id: board_id } = await client.createBoard({ name: 'Sent', description: '' })
      for (let count = 0; count < webhooks; count++)
        await client.createWebhook({ board_id, url, events: ['ideation_created'] })
      // The first message loads the code that sends.
      await client.createIdeation({ board_id, title: 'First' })
      await came(webhooks)
      const answered = new Map<string, number>()
      for (let count = 0; count < writes; count++) {
        const { id } = await client.createIdeation({ board_id, title: `Idea ${count}` })
        answered.set(id, performance.now())
        await pause(pauseMs)
      }
      const late = (await came(writes * webhooks)).map(({ id, at }) => Math.max(0, at - answered.get(id)!))
      lab.report.times(`${webhooks} webhooks, after the answer of the write`, late, {
        arrived: `${late.length} of ${writes * webhooks}`,
        goal: '≤ 200',
      })
    }
  },
})
