/** Knowledge graph (knowledge-graph). */
import * as backfill from './knowledge-graph/backfill.ts'
import * as nodes from './knowledge-graph/nodes.ts'
import * as queries from './knowledge-graph/queries.ts'
import * as queue from './knowledge-graph/queue.ts'
import * as sessions from './knowledge-graph/sessions.ts'
import * as settings from './knowledge-graph/settings.ts'

export const knowledgeGraph = {
  list_kg_dead_letters: queue.list_kg_dead_letters,
  get_kg_health: settings.get_kg_health,
  list_kg_nodes: nodes.list_kg_nodes,
  get_kg_node: nodes.get_kg_node,
  get_kg_graph: nodes.get_kg_graph,
  find_similar_kg_nodes: nodes.find_similar_kg_nodes,
  get_kg_supersedence: nodes.get_kg_supersedence,
  list_kg_contradictions: nodes.list_kg_contradictions,
  get_kg_stats: nodes.get_kg_stats,
  get_kg_metrics: nodes.get_kg_metrics,
  list_kg_audit: sessions.list_kg_audit,
  undo_kg_session: sessions.undo_kg_session,
  export_kg_audit: sessions.export_kg_audit,
  search_kg_global: nodes.search_kg_global,
  start_kg_backfill: backfill.start_kg_backfill,
  cancel_kg_backfill: backfill.cancel_kg_backfill,
  get_kg_backfill_progress: backfill.get_kg_backfill_progress,
  delete_board_kg: backfill.delete_board_kg,
  get_kg_settings: settings.get_kg_settings,
  get_board_kg_settings: settings.get_board_kg_settings,
  put_board_kg_settings: settings.put_board_kg_settings,
  query_kg_cypher: queries.query_kg_cypher,
  get_kg_schema: settings.get_kg_schema,
  list_kg_pending: queue.list_kg_pending,
  get_kg_pending_tree: queue.get_kg_pending_tree,
  stream_kg_events: queries.stream_kg_events,
  retry_kg_pending: queue.retry_kg_pending,
  boost_kg_node: nodes.boost_kg_node,
  get_kg_openapi: settings.get_kg_openapi,
  migrate_kg_schema: backfill.migrate_kg_schema,
  run_kg_tick: settings.run_kg_tick,
  get_kg_queue_health: queue.get_kg_queue_health,
  get_kg_path: nodes.get_kg_path,
} as const
