import { features } from '@specboard/contract'
import { implement } from '../kernel/implement.ts'
import * as backfill from './operations/backfill.ts'
import * as nodes from './operations/nodes.ts'
import * as queries from './operations/queries.ts'
import * as queue from './operations/queue.ts'
import * as sessions from './operations/sessions.ts'
import * as settings from './operations/settings.ts'

export const knowledgeGraphOperations = implement(features['knowledge-graph'], {
  list_kg_dead_letters: queue.listDeadLetters,
  get_kg_health: settings.getHealth,
  list_kg_nodes: nodes.listNodes,
  get_kg_node: nodes.getNode,
  get_kg_graph: nodes.getGraph,
  find_similar_kg_nodes: nodes.findSimilar,
  get_kg_supersedence: nodes.getSupersedence,
  list_kg_contradictions: nodes.listContradictions,
  get_kg_stats: nodes.getStats,
  get_kg_metrics: nodes.getMetrics,
  list_kg_audit: sessions.listAudit,
  undo_kg_session: sessions.undo,
  export_kg_audit: sessions.exportAudit,
  search_kg_global: nodes.searchGlobal,
  start_kg_backfill: backfill.start,
  cancel_kg_backfill: backfill.cancel,
  get_kg_backfill_progress: backfill.progress,
  delete_board_kg: backfill.clear,
  get_kg_settings: settings.getSettings,
  get_board_kg_settings: settings.getBoardSettings,
  put_board_kg_settings: settings.putBoardSettings,
  query_kg_cypher: queries.queryCypher,
  get_kg_schema: settings.getSchema,
  list_kg_pending: queue.listPending,
  get_kg_pending_tree: queue.getPendingTree,
  stream_kg_events: queries.streamEvents,
  retry_kg_pending: queue.retryPending,
  boost_kg_node: nodes.boostNode,
  get_kg_openapi: settings.getOpenApi,
  migrate_kg_schema: backfill.migrate,
  run_kg_tick: settings.runTick,
  get_kg_path: nodes.getPath,
  get_kg_queue_health: queue.getQueueHealth,
})
