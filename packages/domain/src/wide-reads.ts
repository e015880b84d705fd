import type { OperationName } from '@specboard/contract'
import type { Call } from './kernel/service/call.ts'

/** The operations that read a whole board, or all boards, however little they answer; writes for their answer. */
export const wideReads: ReadonlySet<string> = new Set<OperationName>([
  'diff_record',
  'export_analytics_overview',
  'export_board_analytics',
  'get_agent_analytics',
  'get_analytics_overview',
  'get_blockers_analytics',
  'get_board',
  'get_board_columns',
  'get_board_overview',
  'get_coverage_analytics',
  'get_funnel_analytics',
  'get_kg_graph',
  'get_kg_pending_tree',
  'get_kg_stats',
  'get_lineage_graph',
  'get_quality_analytics',
  'get_spec_analytics',
  'get_sprint_analytics',
  'get_sprints_analytics',
  'get_validation_analytics',
  'get_velocity_analytics',
  'list_board_members',
  'list_cards',
  'list_entity_analytics',
  'list_my_inbox',
  'search_records',
  'suggest_sprints',
  'update_board',
])

/** Lists that are read in several steps, none of which waits for anything but the database. */
const listsInSteps: ReadonlySet<string> = new Set<OperationName>(['list_ready_cards'])

/** The longest page of a list that is still read at once. */
const longestPage = 500

/**
 * Whether a call reads much when much is stored: a whole board, or a list without a limit to speak of.
 * @param inSteps whether it is implemented in steps
 */
export function isWideRead({ operation, input }: Call, inSteps: boolean): boolean {
  if (inSteps && !listsInSteps.has(operation.name)) return false
  if (wideReads.has(operation.name)) return true
  if (operation.list === undefined || operation.method !== 'GET') return false
  const { limit } = input.query
  return typeof limit !== 'number' || limit > longestPage
}
