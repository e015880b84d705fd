import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NodeProcess, startNode } from './support/node-process.ts'
import { through } from './support/two-nodes.ts'

const missing = whyNoServer()

/** Revokes the functions in a database that not every engine has. */
const refusing = `do $$ declare called regprocedure; begin
  for called in select oid::regprocedure from pg_proc
    where proname ~ 'advisory' or proname in ('pg_notify', 'pg_listening_channels')
  loop execute format('revoke execute on function %s from public', called); end loop; end $$`

describe.skipIf(missing !== undefined)(
  `two nodes on a database without notifications and advisory locks (access 13)${missing === undefined ? '' : `: ${missing}`}`,
  { timeout: 120_000 },
  () => {
    let server: Awaited<ReturnType<typeof testServer>>
    let url: string
    let folder: string
    let nodes: readonly NodeProcess[] = []
    let key: string

    beforeAll(async () => {
      server = await testServer()
      url = await server.database()
      const name = new URL(url).pathname.slice(1)
      const role = `role_${name}`
      await onServer(url, refusing)
      await onServer(url, `create role ${role} login`)
      await onServer(url, `alter database ${name} owner to ${role}`)
      await onServer(url, `alter schema public owner to ${role}`)
      const own = new URL(url)
      own.username = role
      folder = mkdtempSync(join(tmpdir(), 'specboard-portable-'))
      const secretKeyFile = join(folder, 'secret')
      writeFileSync(secretKeyFile, `${Buffer.alloc(32, 7).toString('base64')}\n`)
      const settings = { databaseUrl: own.href, secretKeyFile, announcements: 'poll', databaseLocks: 'rows' } as const
      nodes = await Promise.all([startNode(settings), startNode(settings)])
      key = nodes.find(({ ownerKey }) => ownerKey !== undefined)!.ownerKey!
    }, 120_000)

    afterAll(async () => {
      for (const node of nodes) await node.stop()
      await server?.drop(url)
      await onServer(server.url, `drop role if exists role_${new URL(url).pathname.slice(1)}`)
      await server?.stop()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    })

    const owners = () => nodes.map(node => through(node.url, key))

    test('readers of either node get every event of writers on both, once and in order', async () => {
      const [one, two] = owners() as [ReturnType<typeof through>, ReturnType<typeof through>]
      const boards = await Promise.all(
        Array.from({ length: 4 }, (_, index) => one.createBoard({ name: `Board ${index}`, description: '' })),
      )
      const cards = 8
      const look = async (node: NodeProcess, query: string) => {
        const response = await fetch(`${node.url}/api/v1/me/events/stream?${query}`, {
          headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
        })
        return (await response.json()) as {
          events: { board_id: string; sequence: number; action: string }[]
          cursor: string
        }
      }
      const starts = await Promise.all(nodes.map(node => look(node, 'wait_ms=0')))
      let isWriting = true
      const reading = nodes.map(async (node, index) => {
        const events: { board_id: string; sequence: number; action: string }[] = []
        let after = starts[index]!.cursor
        for (let isLast = false; ; isLast = !isWriting) {
          const found = await look(node, `wait_ms=300&limit=5&after=${after}`)
          events.push(...found.events)
          after = found.cursor
          if (isLast && found.events.length === 0) return events
        }
      })
      // Two writers on each board, one through each node: their sequences would collide without a lock.
      await Promise.all(
        boards.flatMap(({ id: board_id }) =>
          [one, two].map(async owner => {
            const { id: spec_id } = await owner.createSpec({ board_id, title: 'Spec', status: 'in_progress' })
            for (let index = 0; index < cards; index++)
              await owner.createCard({ board_id, spec_id, title: `Card ${index}` })
          }),
        ),
      )
      isWriting = false
      for (const events of await Promise.all(reading))
        for (const { id } of boards) {
          const sequences = events.filter(({ board_id }) => board_id === id).map(({ sequence }) => sequence)
          expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
          expect(new Set(sequences).size).toBe(sequences.length)
          const cardEvents = events.filter(({ board_id, action }) => board_id === id && action === 'card_created')
          expect(cardEvents).toHaveLength(2 * cards)
        }
    })

    test('a claim is given once, and rights count on the other node with the next call', async () => {
      const [one, two] = owners() as [ReturnType<typeof through>, ReturnType<typeof through>]
      const { id: board_id } = await one.createBoard({ name: 'Claims', description: '' })
      const { id: spec_id } = await one.createSpec({ board_id, title: 'Spec', status: 'in_progress' })
      const cards = 6
      for (let index = 0; index < cards; index++) await two.createCard({ board_id, spec_id, title: `Card ${index}` })
      const agents = await Promise.all(
        Array.from({ length: cards }, async (_, index) => {
          const agent = await one.createAgent({ name: `Agent ${index}` })
          await two.grantBoardAccess({ agent_id: agent.id, board_id })
          return agent
        }),
      )
      const claims = await Promise.all(
        agents.map(({ api_key }, index) =>
          through(nodes[index % 2]!.url, api_key!).claimNextCard({ board_id, start: true }),
        ),
      )
      const claimed = claims.map(({ claim }) => claim?.card_id)
      expect(claimed).not.toContain(undefined)
      expect(new Set(claimed).size).toBe(cards)
      const agent = agents[0]!
      const there = through(nodes[1]!.url, agent.api_key!)
      expect((await there.getBoard({ board_id })).name).toBe('Claims')
      await one.revokeBoardAccess({ agent_id: agent.id, board_id })
      await expect(there.getBoard({ board_id })).rejects.toMatchObject({ status: 404 })
    })
  },
)
