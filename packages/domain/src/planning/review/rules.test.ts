import { expect, test } from 'vitest'
import { isSeparate, type Participation, refuseParticipant, separationRefusal } from './rules.ts'

const work: readonly Participation[] = [
  { agent_id: 'b', role: 'concluded' },
  { agent_id: 'b', role: 'claimed' },
  { agent_id: 'a', role: 'assigned' },
  { agent_id: 'b', role: 'moved' },
]

test('an agent is separate when it took no part', () => {
  expect(['a', 'b', 'c'].map(agent => isSeparate(work, agent))).toEqual([false, false, true])
  expect(separationRefusal(work, 'c')).toBeNull()
  expect(separationRefusal([], 'a')).toBeNull()
})

test('the refusal names all who took part, sorted, each with its ways in order', () => {
  expect(separationRefusal(work, 'b')).toMatchObject({
    code: 'REVIEWER_NOT_SEPARATE',
    message: expect.stringContaining('claimed, moved, concluded'),
    extra: { agents: ['a', 'b'], roles: { a: ['assigned'], b: ['claimed', 'moved', 'concluded'] } },
  })
})

test('only a board that separates review looks at the work', async () => {
  let looked = 0
  const read = async () => {
    looked++
    return work
  }
  await refuseParticipant({ require_separate_reviewer: false }, 'a', read)
  expect(looked).toBe(0)
  await refuseParticipant({ require_separate_reviewer: true }, 'c', read)
  await expect(refuseParticipant({ require_separate_reviewer: true }, 'a', read)).rejects.toMatchObject({
    code: 'REVIEWER_NOT_SEPARATE',
  })
})
