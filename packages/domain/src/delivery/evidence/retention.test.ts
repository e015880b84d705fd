import { operationByName, parseInput } from '@specboard/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { EvidenceRetention } from './retention.ts'

let world: GraphWorld

beforeEach(async () => {
  world = await GraphWorld.start()
})

afterEach(() => world.stop())

const hourMs = 3_600_000

test('runs that nobody ended expire once their time is over (evidence 5)', async () => {
  const { opened, boardId: board_id } = world
  const { database } = opened.service
  const retention = new EvidenceRetention({
    database,
    days: 30,
    clock: () => world.now,
    onFault: error => world.faults.push(error),
  })
  const { ref } = await world.ok('create_card', { board_id, title: 'Card' })
  const beginRun = () => world.ok('begin_proof_run', { board_id, for: [ref], command: 'x' })
  const statuses = async () =>
    (await database.read(db => db.selectFrom('proof_runs').select('status').orderBy('id').execute())).map(
      ({ status }) => status,
    )
  const { id: run_id } = await beginRun()
  world.now += 5 * hourMs
  await beginRun()
  await retention.run()
  expect(await statuses()).toEqual(['running', 'running'])
  world.now += hourMs
  await retention.run()
  expect(await statuses()).toEqual(['expired', 'running'])
  const operation = operationByName.get('finish_proof_run')!
  const parsed = parseInput(operation, { params: { run_id }, query: {}, body: { exit_code: 0 } })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
  const caller = await opened.service.authenticate(world.ownerKey)
  await expect(opened.service.perform({ operation, input: parsed.input, caller })).rejects.toMatchObject({
    code: 'INVALID_STATE',
    extra: { status: 'expired' },
  })
  await retention.stop()
})
