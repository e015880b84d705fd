/** Analytics (insight B). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, paging } from '../shared.ts'
import { range } from './analytics-range.ts'
import {
  AgentAnalytics,
  AnalyticsOverview,
  BlockersAnalytics,
  CoverageAnalytics,
  CycleTimeAnalytics,
  EntityAnalytics,
  EntityList,
  FlowAnalytics,
  FunnelAnalytics,
  QualityAnalytics,
  SpecAnalytics,
  SprintAnalytics,
  SprintProgress,
  SprintsAnalytics,
  ValidationAnalytics,
  VelocityAnalytics,
} from './analytics-shapes.ts'

const board = { board_id: Id }
const entity = { board_id: Id, entity_type: z.string(), entity_id: Id }
const keywords = ['metrics', 'statistics', 'report']

const get_analytics_overview = operation({
  name: 'get_analytics_overview',
  method: 'GET',
  path: '/api/v1/analytics/overview',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get analytics overview',
  description: 'Get the figures of all boards that you see.',
  query: range,
  response: AnalyticsOverview,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'dashboard'],
})

const get_blockers_analytics = operation({
  name: 'get_blockers_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/blockers',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get blockers analytics',
  description: 'List what holds the work up, by kind.',
  params: board,
  query: {
    stale_hours: z.int().min(1).default(72).describe('at least 1'),
    filter_type: z.string().optional(),
    ...paging,
  },
  response: BlockersAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'stuck', 'impediments', 'risks'],
})

const get_funnel_analytics = operation({
  name: 'get_funnel_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/funnel',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get funnel analytics',
  description: 'Count the records of a board from idea to done.',
  params: board,
  query: range,
  response: FunnelAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'progress', 'lead time'],
})

const get_quality_analytics = operation({
  name: 'get_quality_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/quality',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get quality analytics',
  description: 'Compare what executors and reviewers report.',
  params: board,
  query: range,
  response: QualityAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'completeness', 'drift'],
})

const get_velocity_analytics = operation({
  name: 'get_velocity_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/velocity',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get velocity analytics',
  description: 'Count what was completed over time, with trend.',
  params: board,
  query: {
    ...range,
    granularity: z.string().default('week').describe('week or day'),
    weeks: z.int().min(1).max(52).optional().describe('1-52, 12 when absent'),
    days: z.int().min(1).max(365).optional().describe('1-365, 30 when absent'),
  },
  response: VelocityAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'throughput', 'trend', 'speed'],
})

/** The cards that figures of flow are about: of the board, or of a spec or sprint of it. */
const cardScope = { spec_id: Id.optional(), sprint_id: Id.optional() }

const get_flow_analytics = operation({
  name: 'get_flow_analytics',
  extension: true,
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/flow',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get flow analytics',
  description: 'Count cards by status over time.',
  params: board,
  query: { ...range, granularity: z.string().default('week').describe('week or day'), ...cardScope },
  response: FlowAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'cumulative flow', 'burn-up', 'scope', 'work in progress'],
})

const get_cycle_time_analytics = operation({
  name: 'get_cycle_time_analytics',
  extension: true,
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/cycle-times',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get cycle time analytics',
  description: 'Show how long cards took, newest first, with percentiles.',
  params: board,
  query: {
    ...range,
    ...cardScope,
    limit: z.int().min(1).max(1000).default(50).describe('1-1000'),
    offset: z.int().min(0).default(0),
  },
  response: CycleTimeAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'lead time', 'percentile', 'forecast', 'how long'],
})

const get_coverage_analytics = operation({
  name: 'get_coverage_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/coverage',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get coverage analytics',
  description: 'Show how far each spec is covered.',
  params: board,
  query: { ...range, ...paging },
  list: CoverageAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'traceability', 'test coverage'],
})

const get_validation_analytics = operation({
  name: 'get_validation_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/validations',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get validation analytics',
  description: 'Show how specs and cards pass their gates.',
  params: board,
  query: range,
  response: ValidationAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'gates', 'rejections', 'evaluations'],
})

const get_sprints_analytics = operation({
  name: 'get_sprints_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/sprints',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get sprints analytics',
  description: 'Compare the sprints of a board.',
  params: board,
  query: range,
  response: SprintsAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const get_spec_analytics = operation({
  name: 'get_spec_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/spec/{spec_id}',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get spec analytics',
  description: 'Get the figures of one spec.',
  params: { board_id: Id, spec_id: Id },
  response: SpecAnalytics,
  errors: [],
  keywords,
})

const get_sprint_analytics = operation({
  name: 'get_sprint_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/sprint/{sprint_id}',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get sprint analytics',
  description: 'Get the figures of one sprint.',
  params: { board_id: Id, sprint_id: Id },
  response: SprintAnalytics,
  errors: [],
  keywords: [...keywords, 'burndown'],
})

const get_sprint_progress = operation({
  name: 'get_sprint_progress',
  extension: true,
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/sprint/{sprint_id}/progress',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get sprint progress',
  description: 'Get burn-up, capacity and cards at risk of a sprint.',
  params: { board_id: Id, sprint_id: Id },
  response: SprintProgress,
  errors: [],
  keywords: [...keywords, 'burn-up', 'burndown', 'capacity', 'risk', 'forecast'],
})

const get_agent_analytics = operation({
  name: 'get_agent_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/agents',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'Get agent analytics',
  description: 'Rank the agents of a board by cards and validations.',
  params: board,
  query: { ...range, ...paging },
  list: AgentAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'ranking', 'performance', 'leaderboard'],
})

const list_entity_analytics = operation({
  name: 'list_entity_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/entities',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  title: 'List entity analytics',
  description: 'List records of one type with key figures.',
  params: board,
  query: {
    type: z.string().describe('ideation, refinement, spec, sprint or card'),
    ...range,
    search: z.string().default('').describe('part of the title'),
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(200).default(50).describe('1-200'),
  },
  response: EntityList,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const get_entity_analytics = operation({
  name: 'get_entity_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/entity/{entity_type}/{entity_id}',
  permission: 'ANALYTICS_READ',
  title: 'Get entity analytics',
  description: 'Get the figures of one record.',
  params: entity,
  response: EntityAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const export_analytics_overview = operation({
  name: 'export_analytics_overview',
  method: 'GET',
  path: '/api/v1/analytics/overview/export',
  permission: 'ANALYTICS_EXPORT',
  reads: 'board',
  title: 'Export analytics overview',
  description: 'Export the figures of all your boards as CSV.',
  query: range,
  kind: 'file',
  fileTypes: ['text/csv'],
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'csv', 'spreadsheet', 'download'],
})

const export_board_analytics = operation({
  name: 'export_board_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/export',
  permission: 'ANALYTICS_EXPORT',
  reads: 'board',
  title: 'Export board analytics',
  description: 'Export funnel, quality, velocity and evidence as CSV.',
  params: board,
  query: range,
  kind: 'file',
  fileTypes: ['text/csv'],
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'csv', 'spreadsheet', 'download'],
})

const export_entity_analytics = operation({
  name: 'export_entity_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/entity/{entity_type}/{entity_id}/export',
  permission: 'ANALYTICS_EXPORT',
  title: 'Export entity analytics',
  description: 'Export the figures of one record as CSV.',
  params: entity,
  kind: 'file',
  fileTypes: ['text/csv'],
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'csv', 'spreadsheet', 'download'],
})

export const analytics = {
  get_analytics_overview,
  get_blockers_analytics,
  get_funnel_analytics,
  get_quality_analytics,
  get_velocity_analytics,
  get_flow_analytics,
  get_cycle_time_analytics,
  get_coverage_analytics,
  get_validation_analytics,
  get_sprints_analytics,
  get_spec_analytics,
  get_sprint_analytics,
  get_sprint_progress,
  get_agent_analytics,
  list_entity_analytics,
  get_entity_analytics,
  export_analytics_overview,
  export_board_analytics,
  export_entity_analytics,
} as const
