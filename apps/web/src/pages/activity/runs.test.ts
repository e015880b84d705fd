import { expect, test } from 'vitest'
import type { BoardEvent } from '../../data/stream.ts'
import { foldedRuns } from './runs.ts'

const events = (...actions: readonly string[]) =>
  actions.map((action, sequence) => ({ sequence, action, actor_id: 'a', entity_type: 'card' }) as BoardEvent)

test('what was done four times on end is one run; less stands on its own', () => {
  const moved = ['card_moved', 'card_moved', 'card_moved']
  const created = ['card_created', 'card_created', 'card_created', 'card_created']
  expect(foldedRuns(events(...moved, ...created)).map(run => run.length)).toEqual([1, 1, 1, 4])
})
