import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@specboard/client'
import type { Attack } from '../attack.ts'
import type { ReceivedAnswer } from '../send.ts'
import type { Target } from '../target.ts'

const webhooks = 10
const pingsOfEach = 6

/** How long the other board's message may take while the attacker's are under way, ms. */
const patienceMs = 5_000

/**
 * Sends many messages to a receiver that never answers, then one of another board; status 504 if that one does not
 * arrive.
 */
async function besideSlowReceivers(target: Target, key: string | undefined): Promise<ReceivedAnswer> {
  const arrived = Promise.withResolvers<void>()
  const receiver = createServer((request, response) => {
    if (request.url !== '/quick') return
    response.end()
    arrived.resolve()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const attacker = createClient({ url: target.url, key: key! })
  try {
    const { id: board_id } = await attacker.createBoard({ name: 'Of the attacker', description: '' })
    for (let index = 0; index < webhooks; index++) {
      const { id: webhook_id } = await attacker.createWebhook({ board_id, url: `${url}/slow/${index}` })
      await Promise.all(Array.from({ length: pingsOfEach }, () => attacker.pingWebhook({ webhook_id })))
    }
    const { id: webhook_id } = await target.owner.createWebhook({ board_id: target.otherBoardId, url: `${url}/quick` })
    await target.owner.pingWebhook({ webhook_id })
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const timer = setTimeout(resolve, patienceMs, 'late')
    const isLate = (await Promise.race([arrived.promise, late])) === 'late'
    clearTimeout(timer)
    await attacker.deleteBoard({ board_id })
    await target.owner.deleteWebhook({ webhook_id })
    return { status: isLate ? 504 : 200, text: '', length: 0 }
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}

/** One board's work alongside another's (walls 7). */
export const fairness: readonly Attack[] = [
  {
    name: '60 messages to receivers that do not answer, beside one of another board',
    answers: { full: [200] },
    isLong: true,
    variations: { 'another message comes within 5 s': besideSlowReceivers },
  },
]
