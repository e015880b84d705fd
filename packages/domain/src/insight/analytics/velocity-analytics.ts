import type { features } from '@specboard/contract'
import type { Implementation } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { readSprintFacts } from './facts.ts'
import { always, dateOf, rangeOf, velocityWindow } from './periods.ts'
import { bucketsOf, cardsOf, meanCycle, sprintsWithin, trendOf } from './velocity.ts'
import { readVelocityEvents } from './velocity-events.ts'

/** get_velocity_analytics (B.2). */
export const velocityAnalytics: Implementation<(typeof features.analytics)['get_velocity_analytics']> = async (
  { query },
  ctx,
) => {
  const range = rangeOf(query)
  const granularity = oneOf('granularity', ['week', 'day'], query.granularity)
  const periods = granularity === 'week' ? query.weeks : query.days
  const window = velocityWindow(granularity, range, Date.parse(ctx.now()), periods)
  const { completions, events } = await readVelocityEvents(ctx.db, [ctx.boardId], window)
  const sprints = await readSprintFacts(ctx.db, 'board_id', { ids: [ctx.boardId], board: null, range: always })
  return {
    board_id: ctx.boardId,
    from_date: dateOf(window.from),
    to_date: dateOf(window.to),
    sprints: sprintsWithin(window, sprints),
    completed_cards: cardsOf(completions),
    average_cycle_time_hours: meanCycle(completions),
    trend: trendOf(window, completions),
    granularity,
    buckets: bucketsOf(window, events),
  }
}
