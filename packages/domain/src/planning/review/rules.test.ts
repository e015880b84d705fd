import { expect, test } from 'vitest'
import { isSeparate, type Participation, participants, reviewerGate, separationRefusal } from './rules.ts'

const work: readonly Participation[] = [
  { agent_id: 'b', role: 'concluded' },
  { agent_id: 'b', role: 'claimed' },
  { agent_id: 'a', role: 'assigned' },
  { agent_id: 'b', role: 'moved' },
]

const as = (id: string) => ({ caller: { id }, boardId: 'board' })

test('an agent is separate when it took no part', () => {
  expect(['a', 'b', 'c'].map(agent => isSeparate(work, agent))).toEqual([false, false, true])
  expect(separationRefusal(work, 'c', 'board')).toBeNull()
  expect(separationRefusal([], 'a', 'board')).toBeNull()
})

test('the refusal names all who took part, sorted, each with its ways in order', () => {
  expect(separationRefusal(work, 'b', 'board')).toMatchObject({
    code: 'REVIEWER_NOT_SEPARATE',
    message: expect.stringContaining('claimed, moved, concluded'),
    extra: { agents: ['a', 'b'], roles: { a: ['assigned'], b: ['claimed', 'moved', 'concluded'] }, board_id: 'board' },
  })
})

test('only a board that separates review looks at the work', async () => {
  let looked = 0
  const read = async () => {
    looked++
    return work
  }
  const [open, separate] = [{ require_separate_reviewer: false }, { require_separate_reviewer: true }]
  expect(reviewerGate(open, await participants(open, read), as('a'))).toEqual({
    gate: 'reviewer',
    refusal: null,
    skippedBy: 'require_separate_reviewer',
  })
  expect(looked).toBe(0)
  const entries = await participants(separate, read)
  expect(reviewerGate(separate, entries, as('c'))).toEqual({ gate: 'reviewer', refusal: null, skippedBy: null })
  expect(reviewerGate(separate, entries, as('a')).refusal).toMatchObject({ code: 'REVIEWER_NOT_SEPARATE' })
})
