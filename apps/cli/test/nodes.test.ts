/** Two nodes on one PostgreSQL, each a process of its own, called over their sockets. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Client } from '@specboard/client'
import { whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type NodeProcess, startNode } from './support/node-process.ts'
import { doneReport } from './support/report.ts'
import { TwoNodes, through } from './support/two-nodes.ts'

const missing = whyNoServer()

/** Ends a test that would wait for ever, ms: each starts processes, which takes long on a machine busy with other work. */
const limit = 240_000

/** How long a silent node keeps what it works on, ms. */
const leaseMs = 3_000

describe.skipIf(missing !== undefined)(
  `two nodes${missing === undefined ? '' : `: ${missing}`}`,
  { timeout: limit },
  () => {
    let nodes: TwoNodes

    beforeAll(async () => {
      nodes = await TwoNodes.start(leaseMs)
    }, limit)

    afterAll(() => nodes?.stop(), limit)

    test('one of them made the owner', () => {
      expect([nodes.one.ownerKey, nodes.two.ownerKey].filter(key => key !== undefined)).toHaveLength(1)
    })

    test('each names both, with where they listen and their last sign of life', async () => {
      const ports = [nodes.one, nodes.two].map(({ url }) => Number(new URL(url).port)).toSorted()
      for (const owner of nodes.owners) {
        const { nodes: peers } = await owner.getServiceStatus()
        expect(peers.map(({ port }) => port).toSorted()).toEqual(ports)
        for (const { started_at, last_seen_at } of peers)
          expect(Date.parse(last_seen_at)).toBeGreaterThanOrEqual(Date.parse(started_at))
      }
    })

    test('a node with another key for secrets does not start, and ends no session', async () => {
      const other = join(nodes.folder, 'other')
      writeFileSync(other, randomBytes(32))
      await expect(startNode({ ...nodes.settings, secretKeyFile: other })).rejects.toThrow(/SPECBOARD_SECRET_KEY_FILE/)
    })

    test('50 agents through both claim and finish each card once', async () => {
      const cards = 100
      const board_id = await nodes.board('Crowd')
      const { id: spec_id } = await nodes.owners[0].createSpec({ board_id, status: 'in_progress', title: 'Spec' })
      for (let offset = 0; offset < cards; offset += 10)
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            nodes.owners[index % 2]!.createCard({ board_id, spec_id, title: `Card ${offset + index}` }),
          ),
        )
      const cardIds: string[] = []
      const work = async (index: number) => {
        const agent = await nodes.owners[index % 2]!.createAgent({ name: `Agent ${index}` })
        await nodes.owners[(index + 1) % 2]!.grantBoardAccess({ agent_id: agent.id, board_id })
        const clients = [nodes.one, nodes.two].map(({ url }) => through(url, agent.api_key!))
        for (let turn = index; ; turn++) {
          const { claim } = await clients[turn % 2]!.claimNextCard({ board_id, start: true })
          if (claim === null) return
          cardIds.push(claim.card_id)
          await clients[(turn + 1) % 2]!.moveCard({ card_id: claim.card_id, target_status: 'done', ...doneReport })
        }
      }
      await Promise.all(Array.from({ length: 50 }, (_, index) => work(index)))
      expect(cardIds).toHaveLength(cards)
      expect(new Set(cardIds).size).toBe(cards)
      expect((await nodes.owners[1].listCards({ board_id, status: 'done' })).total).toBe(cards)
    })

    test('rights changed on one count on the other with the next call', async () => {
      const board_id = await nodes.board('Rights')
      const agent = await nodes.owners[0].createAgent({ name: 'Reader' })
      await nodes.owners[0].grantBoardAccess({ agent_id: agent.id, board_id })
      const there = through(nodes.two.url, agent.api_key!)
      const get = () =>
        there.getBoard({ board_id }).then(
          () => 200,
          error => error.status as number,
        )
      expect(await get()).toBe(200)
      await nodes.owners[0].revokeBoardAccess({ agent_id: agent.id, board_id })
      expect(await get()).toBe(404)
      await nodes.owners[0].grantBoardAccess({ agent_id: agent.id, board_id })
      expect(await get()).toBe(200)
      await nodes.owners[0].updateAgent({ agent_id: agent.id, is_active: false })
      expect(await get()).toBe(401)
    })

    test('16 writers on 16 boards through both: readers of both get each event once, in order on its board', async () => {
      const boards = await Promise.all(Array.from({ length: 16 }, (_, index) => nodes.board(`Writer ${index}`)))
      const cards = 12
      let isWriting = true
      const look = async ({ url }: NodeProcess, query: string) => {
        const response = await fetch(`${url}/api/v1/me/events/stream?${query}`, {
          headers: { authorization: `Bearer ${nodes.key}`, accept: 'application/json' },
        })
        return (await response.json()) as {
          events: { board_id: string; sequence: number }[]
          cursor: string
          more: boolean
        }
      }
      const starts = await Promise.all([nodes.one, nodes.two].map(node => look(node, 'wait_ms=0')))
      const reading = [nodes.one, nodes.two].map(async (node, index) => {
        const events: { board_id: string; sequence: number }[] = []
        let after = starts[index]!.cursor
        for (let isLast = false; ; isLast = !isWriting) {
          const page = await look(node, `wait_ms=200&limit=7&after=${after}`)
          after = page.cursor
          events.push(...page.events)
          if (isLast && page.events.length === 0 && !page.more) return events
        }
      })
      const specs = await Promise.all(
        boards.map((board_id, index) =>
          nodes.owners[index % 2]!.createSpec({ board_id, status: 'in_progress', title: 'Spec' }),
        ),
      )
      await Promise.all(
        boards.map(async (board_id, index) => {
          for (let card = 0; card < cards; card++)
            await nodes.owners[(index + card) % 2]!.createCard({
              board_id,
              spec_id: specs[index]!.id,
              title: `Card ${card}`,
            })
        }),
      )
      isWriting = false
      for (const events of await Promise.all(reading))
        for (const board_id of boards) {
          const sequences = events.filter(event => event.board_id === board_id).map(({ sequence }) => sequence)
          const { last_sequence } = await nodes.owners[0].listBoardEvents({ board_id })
          const first = sequences[0]!
          expect(sequences).toEqual(Array.from({ length: last_sequence - first + 1 }, (_, index) => first + index))
          expect(sequences.length).toBeGreaterThanOrEqual(cards)
        }
    })

    describe('webhooks', () => {
      let receiver: Server
      const deliveries: { readonly id: string; readonly sequence: number }[] = []

      beforeAll(async () => {
        receiver = createServer((request, response) => {
          let text = ''
          request.on('data', part => {
            text += part
          })
          request.on('end', () => {
            const { data } = JSON.parse(text)
            deliveries.push({ id: String(request.headers['webhook-id']), sequence: data?.sequence })
            response.end()
          })
        })
        await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
      })

      afterAll(() => receiver.close())

      test('are sent by one of them, in order; when it is killed, the other one goes on', async () => {
        const board_id = await nodes.board('Hooked')
        const { port } = receiver.address() as { port: number }
        await nodes.owners[0].createWebhook({
          board_id,
          url: `http://127.0.0.1:${port}/`,
          events: ['ideation_created'],
        })
        const write = async (client: Client, count: number) => {
          for (let index = 0; index < count; index++) await client.createIdeation({ board_id, title: 'Idea' })
        }
        await Promise.all([write(nodes.owners[0], 10), write(nodes.owners[1], 10)])
        await eventually(() => expect(deliveries.length).toBeGreaterThanOrEqual(20))
        expect(new Set(deliveries.map(({ id }) => id)).size).toBe(deliveries.length)
        // The node on which the webhook was created sends its deliveries.
        await nodes.one.kill()
        await write(nodes.owners[1], 10)
        await eventually(() => expect(new Set(deliveries.map(({ id }) => id)).size).toBe(30))
        const firsts = deliveries.filter(({ id }, index) => deliveries.findIndex(other => other.id === id) === index)
        expect(firsts.map(({ sequence }) => sequence)).toEqual(
          firsts.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
        )
        await nodes.startAgain('one')
      })
    })

    test('a restart of PostgreSQL under load loses nothing: 503 with Retry-After, and both go on', async () => {
      const board_id = await nodes.board('Restart')
      const acknowledged: string[] = []
      const refused: { status: number; retryAfter: string | null }[] = []
      let isOver = false
      const write = async (url: string) => {
        while (!isOver) {
          const response = await fetch(`${url}/api/v1/boards/${board_id}/ideations`, {
            method: 'POST',
            headers: { authorization: `Bearer ${nodes.key}`, 'content-type': 'application/json' },
            body: JSON.stringify({ title: 'Idea' }),
          })
          const body = (await response.json()) as { id: string }
          if (response.status === 201) acknowledged.push(body.id)
          else refused.push({ status: response.status, retryAfter: response.headers.get('retry-after') })
        }
      }
      const abort = new AbortController()
      const stream = await fetch(`${nodes.two.url}/api/v1/boards/${board_id}/events/stream`, {
        headers: { authorization: `Bearer ${nodes.key}`, accept: 'text/event-stream' },
        signal: abort.signal,
      })
      let streamed = ''
      const reading = (async () => {
        for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) streamed += part
      })().catch(() => {})
      const writing = [nodes.one, nodes.two, nodes.one, nodes.two].map(({ url }) => write(url))
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(10))
      await nodes.server.restart()
      const before = acknowledged.length
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 10))
      isOver = true
      await Promise.all(writing)
      expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
      const stored = new Set<string>()
      for (let offset = 0; ; offset += 200) {
        const { items } = await nodes.owners[0].listIdeations({ board_id, limit: 200, offset })
        for (const { id } of items) stored.add(id)
        if (items.length < 200) break
      }
      expect(acknowledged.filter(id => !stored.has(id))).toEqual([])
      // The stream stayed open, and shows the last of them.
      await eventually(() => expect(acknowledged.filter(id => !streamed.includes(id))).toEqual([]))
      abort.abort()
      await reading
    })
  },
)
