import { expect, test } from 'vitest'
import type { Caller } from '../../kernel/context.ts'
import { isSeparate, type Participation, refuseParticipant, separationRefusal } from './rules.ts'

const work: readonly Participation[] = [
  { agent_id: 'b', role: 'concluded' },
  { agent_id: 'b', role: 'claimed' },
  { agent_id: 'a', role: 'assigned' },
  { agent_id: 'b', role: 'moved' },
]

const as = (id: string) => ({ caller: { id } as Caller, boardId: 'board' })

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
  await refuseParticipant({ require_separate_reviewer: false }, as('a'), read)
  expect(looked).toBe(0)
  await refuseParticipant({ require_separate_reviewer: true }, as('c'), read)
  await expect(refuseParticipant({ require_separate_reviewer: true }, as('a'), read)).rejects.toMatchObject({
    code: 'REVIEWER_NOT_SEPARATE',
  })
})
