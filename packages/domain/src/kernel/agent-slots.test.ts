import { expect, test } from 'vitest'
import { AgentSlots } from './agent-slots.ts'

const limits = { ofAnAgent: 2, ofAll: 4, maxWaitMs: 5_000, label: 'queries' }

/** Slots whose waits end when the test says so, and calls that end when it says so. */
function slotsOf() {
  const waits: (() => void)[] = []
  const slots = new AgentSlots(limits, () => new Promise(resolve => waits.push(resolve)))
  const started: string[] = []
  const begin = (agentId: string, name = agentId) => {
    const end = Promise.withResolvers<void>()
    const run = slots.run({ agentId }, () => {
      started.push(name)
      return end.promise
    })
    return { end, run }
  }
  return { waits, started, begin }
}

const refusal = { code: 'RATE_LIMITED', extra: { retry_after: 5 } }

test('two calls of an agent run at once; a third waits until one of them ends, in whatever way', async () => {
  const { started, begin } = slotsOf()
  const [first, second] = [begin('a'), begin('a')]
  const [third, fourth] = [begin('a', 'third'), begin('a', 'fourth')]
  expect(started).toEqual(['a', 'a'])
  first.end.resolve()
  await first.run
  expect(started).toEqual(['a', 'a', 'third'])
  second.end.reject(new Error('refused'))
  await expect(second.run).rejects.toThrow('refused')
  third.end.resolve()
  fourth.end.resolve()
  await Promise.all([third.run, fourth.run])
  expect(started).toEqual(['a', 'a', 'third', 'fourth'])
})

test('four run at once; who waits for its own does not hold up others', async () => {
  const { started, begin } = slotsOf()
  const running = ['a', 'a', 'b', 'c'].map(id => begin(id))
  begin('a', 'a again')
  begin('d')
  expect(started).toEqual(['a', 'a', 'b', 'c'])
  running[3]!.end.resolve()
  await running[3]!.run
  expect(started).toEqual(['a', 'a', 'b', 'c', 'd'])
})

test('a call that waited too long is refused, and its turn is not kept for it', async () => {
  const { waits, started, begin } = slotsOf()
  const running = [begin('a'), begin('a')]
  const late = begin('a', 'late')
  const last = begin('a', 'last')
  waits[0]!()
  await expect(late.run).rejects.toMatchObject(refusal)
  running[0]!.end.resolve()
  await running[0]!.run
  expect(started).toEqual(['a', 'a', 'last'])
  waits[1]!()
  last.end.resolve()
  await expect(last.run).resolves.toBeUndefined()
})

test('of one board at most its share runs, and its own work that waits does not hold up that of others', async () => {
  const slots = new AgentSlots({ ofABoard: 2, ofAll: 4, maxWaitMs: Number.POSITIVE_INFINITY, label: 'messages' })
  const started: string[] = []
  const begin = (boardId: string) => {
    const end = Promise.withResolvers<void>()
    const run = slots.run({ boardId }, () => {
      started.push(boardId)
      return end.promise
    })
    return { end, run }
  }
  const busy = Array.from({ length: 5 }, () => begin('busy'))
  begin('other')
  expect(started).toEqual(['busy', 'busy', 'other'])
  busy[0]!.end.resolve()
  await busy[0]!.run
  expect(started).toEqual(['busy', 'busy', 'other', 'busy'])
})
