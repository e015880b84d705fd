/** Imports into a board that stands, while another node shows the board and writes on it (exchange 1.3). */
import type { Client } from '@specboard/client'
import { whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { TwoNodes } from './support/two-nodes.ts'

const missing = whyNoServer()

/** Ends a test that would wait for ever, ms. */
const limit = 240_000

/** How long a silent node keeps what it works on, ms. */
const leaseMs = 3_000

const fileOf = (rows: number) =>
  new File([`id,title\n${Array.from({ length: rows }, (_, row) => `${row},Card ${row}\n`).join('')}`], 'plan.csv')

describe.skipIf(missing !== undefined)(
  `imports across nodes${missing === undefined ? '' : `: ${missing}`}`,
  { timeout: limit },
  () => {
    let nodes: TwoNodes

    beforeAll(async () => {
      nodes = await TwoNodes.start(leaseMs)
    }, limit)

    afterAll(() => nodes?.stop())

    const totalOf = async (client: Client, board_id: string) => (await client.listCards({ board_id, limit: 1 })).total
    const phase = async (board_id: string) =>
      (await nodes.query<{ staged: string | null }>(`select staged from imports where board_id = '${board_id}'`))[0]
        ?.staged
    const reaches = (board_id: string, sought: string) =>
      expect.poll(() => phase(board_id), { interval: 1, timeout: limit }).toBe(sought)

    test('neither node shows a part, and others write through both while the pieces are put in place', async () => {
      const board_id = await nodes.board('Standing')
      const rows = 1_500
      const ended = { yet: false }
      const importing = nodes.owners[0]
        .importBoard({ file: fileOf(rows), board_id })
        .finally(() => Object.assign(ended, { yet: true }))
      const totals = nodes.owners.map(async client => {
        const seen = new Set<number>()
        while (!ended.yet) seen.add(await totalOf(client, board_id))
        return seen
      })
      const amid = nodes.owners.map(async client => {
        let count = 0
        while (!ended.yet) {
          const before = await phase(board_id)
          await client.createIdeation({ board_id, title: 'Meanwhile' })
          if (before === 'placing' && (await phase(board_id)) === 'placing') count++
        }
        return count
      })
      expect((await importing).created).toEqual({ spec: 1, card: rows })
      for (const seen of await Promise.all(totals)) expect([0, rows]).toEqual(expect.arrayContaining([...seen]))
      for (const count of await Promise.all(amid)) expect(count).toBeGreaterThan(0)
      for (const client of nodes.owners) expect(await totalOf(client, board_id)).toBe(rows)
    })

    test('what a killed node began to put in place is finished by the other one, which shows the board then', async () => {
      const board_id = await nodes.board('Killed')
      const rows = 2_000
      const importing = nodes.owners[0].importBoard({ file: fileOf(rows), board_id }).catch(error => error)
      await reaches(board_id, 'placing')
      await nodes.one.kill()
      expect(await importing).toBeInstanceOf(Error)
      expect(await totalOf(nodes.owners[1], board_id)).toBe(rows)
      await nodes.startAgain('one')
      expect(await totalOf(nodes.owners[0], board_id)).toBe(rows)
      await eventually(async () => expect(await nodes.query('select * from imports')).toEqual([]))
    })

    test('a node that is killed while others close the board for it leaves nothing, and the board is open again', async () => {
      const board_id = await nodes.board('Closing')
      // The other node stands still, so that the importing one waits for it.
      nodes.two.child.kill('SIGSTOP')
      const importing = nodes.owners[0].importBoard({ file: fileOf(100), board_id }).catch(error => error)
      await reaches(board_id, 'closing')
      await nodes.one.kill()
      nodes.two.child.kill('SIGCONT')
      expect(await importing).toBeInstanceOf(Error)
      expect(await totalOf(nodes.owners[1], board_id)).toBe(0)
      await nodes.startAgain('one')
      await eventually(async () => expect(await nodes.query('select * from imports')).toEqual([]))
      expect((await nodes.owners[0].importBoard({ file: fileOf(100), board_id })).created).toMatchObject({ card: 100 })
    })

    test('a node that stands still delays an import, and shows all of it afterwards', async () => {
      const board_id = await nodes.board('Silent')
      nodes.two.child.kill('SIGSTOP')
      const reading = totalOf(nodes.owners[1], board_id)
      const { created } = await nodes.owners[0].importBoard({ file: fileOf(200), board_id })
      nodes.two.child.kill('SIGCONT')
      expect(created).toMatchObject({ card: 200 })
      expect(await reading).toBe(200)
    })
  },
)
