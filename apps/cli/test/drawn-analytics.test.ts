import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backdate } from './analytics/backdate.ts'
import { checkBoard } from './analytics/board.ts'
import { comparing } from './analytics/compare.ts'
import { drawnBacklog } from './analytics/drawn-backlog.ts'
import { dice, drawUse } from './analytics/drawn-use.ts'
import { World } from './support/world.ts'

/** The number of generated boards; set it high for a thorough run. */
const runs = Number(process.env.SPECBOARD_ANALYTICS_RUNS ?? 2)

/** Ends a test that would wait for ever, ms. */
const limit = 60_000 * (1 + runs)

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world?.stop())

test(
  'on any board every figure, list and file of the analytics is what its records say (analytics)',
  { timeout: limit },
  () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async seed => {
        const { client } = world.owner
        const roll = dice(seed)
        const { board_id } = await client.importBoard({ file: drawnBacklog(roll), all: true, name: `Drawn ${seed}` })
        const settings = { require_test_task_for_bug: false, require_task_validation: false }
        await client.updateBoard({ board_id: board_id!, settings })
        await drawUse(client, board_id!, roll)
        await backdate(world)
        const { compared, differences } = await comparing(() => checkBoard(client, board_id!))
        expect(differences).toEqual([])
        expect(compared).toBeGreaterThan(100)
        // The overview is that of an account with one board.
        await client.deleteBoard({ board_id: board_id! })
      }),
      { numRuns: runs, endOnFailure: true },
    ),
)
