import { features } from '@specboard/contract'
import { implement } from '../../kernel/implement.ts'
import { agentAnalytics } from './agents.ts'
import { blockersAnalytics } from './blockers.ts'
import { cycleTimeAnalytics } from './cycle-times.ts'
import { entityAnalytics } from './entity.ts'
import { entityList } from './entity-list.ts'
import { exportBoard, exportEntity, exportOverview } from './exports.ts'
import { flowAnalytics } from './flow-analytics.ts'
import { funnelOf, readChain } from './funnel.ts'
import { overviewOf } from './overview.ts'
import { rangeOf } from './periods.ts'
import { qualityAnalytics } from './quality.ts'
import { specAnalytics } from './spec.ts'
import { coverageAnalytics } from './spec-coverage.ts'
import { sprintAnalytics } from './sprint.ts'
import { sprintProgress } from './sprint-progress-analytics.ts'
import { sprintsAnalytics } from './sprints.ts'
import { validationAnalytics } from './validations.ts'
import { velocityAnalytics } from './velocity-analytics.ts'
import { withRefs } from './with-refs.ts'

export const analyticsOperations = implement(features.analytics, {
  get_analytics_overview: withRefs(({ query }, ctx) => overviewOf(ctx, query, 'ANALYTICS_READ')),
  get_blockers_analytics: withRefs(blockersAnalytics),
  get_funnel_analytics: async ({ query }, ctx) =>
    funnelOf(await readChain(ctx.db, { ids: [ctx.boardId], board: null, range: rangeOf(query) })),
  get_quality_analytics: withRefs(qualityAnalytics),
  get_velocity_analytics: velocityAnalytics,
  get_flow_analytics: flowAnalytics,
  get_cycle_time_analytics: cycleTimeAnalytics,
  get_coverage_analytics: withRefs(coverageAnalytics),
  get_validation_analytics: withRefs(validationAnalytics),
  get_sprints_analytics: withRefs(sprintsAnalytics),
  get_spec_analytics: withRefs(specAnalytics),
  get_sprint_analytics: withRefs(sprintAnalytics),
  get_sprint_progress: withRefs(sprintProgress),
  get_agent_analytics: agentAnalytics,
  list_entity_analytics: entityList,
  get_entity_analytics: withRefs(entityAnalytics),
  export_analytics_overview: exportOverview,
  export_board_analytics: exportBoard,
  export_entity_analytics: exportEntity,
})
