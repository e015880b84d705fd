/** Imports into an existing board, while another node shows the board and writes on it (exchange 1.3). */
import type { Client } from '@specboard/client'
import { lockTable, whyNoServer } from '@specboard/storage/testing'
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
    /**
     * Holds back the last statement of the unit of work that puts an import in place; returns the function that
     * releases it.
     */
    const heldBack = () => lockTable(nodes.settings.databaseUrl!, 'audit')

    /** Waits until an import has reached the statement that is held back. */
    const isAlmostInPlace = () =>
      expect
        .poll(() => nodes.query(`select from pg_locks where relation = 'audit'::regclass and not granted`), {
          interval: 10,
          timeout: limit,
        })
        .toHaveLength(1)

    test('readers of both nodes wait for nothing while an import is put in place, and see all of it or none', async () => {
      const board_id = await nodes.board('Standing')
      const release = await heldBack()
      const importing = nodes.owners[0].importBoard({ file: fileOf(600), board_id })
      await isAlmostInPlace()
      const reads = nodes.owners.flatMap(client => [
        totalOf(client, board_id),
        client.getBoardOverview({ board_id }).then(({ counts }) => counts.cards.not_started),
      ])
      expect(await Promise.all(reads)).toEqual([0, 0, 0, 0])
      await release()
      expect((await importing).created).toEqual({ spec: 1, card: 600 })
      for (const client of nodes.owners) expect(await totalOf(client, board_id)).toBe(600)
    })

    test('writes on other boards go on meanwhile, those on the board come before or after', async () => {
      const [board_id, other] = [await nodes.board('Standing'), await nodes.board('Other')]
      const release = await heldBack()
      const importing = nodes.owners[0].importBoard({ file: fileOf(20), board_id })
      await isAlmostInPlace()
      await nodes.owners[1].createIdeation({ board_id: other, title: 'Meanwhile' })
      const write = nodes.owners[1].createIdeation({ board_id, title: 'Afterwards' })
      await release()
      await importing
      expect((await write).ref).toMatch(/-22$/)
    })

    test('a node that is killed while it puts an import in place leaves nothing, and another one can do it', async () => {
      const board_id = await nodes.board('Killed')
      const release = await heldBack()
      const importing = nodes.owners[0].importBoard({ file: fileOf(100), board_id }).catch(error => error)
      await isAlmostInPlace()
      await nodes.one.kill()
      await release()
      expect(await importing).toBeInstanceOf(Error)
      expect(await totalOf(nodes.owners[1], board_id)).toBe(0)
      await nodes.startAgain('one')
      await eventually(async () => expect(await nodes.query('select * from imports')).toEqual([]))
      expect((await nodes.owners[1].importBoard({ file: fileOf(100), board_id })).created).toMatchObject({ card: 100 })
    })

    test('a node that stands still delays no import, and shows all of it afterwards', async () => {
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
