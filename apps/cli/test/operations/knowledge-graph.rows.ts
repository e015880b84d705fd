import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const onBoard = (scene: Scene) => ({ board_id: scene.boardId })

const onNode = async (scene: Scene) => {
  const { node } = await scene.specInGraph()
  return { board_id: scene.boardId, node_id: await node('decision:d1') }
}

/** The session that brought a new ideation into the graph. */
const onSession = async (scene: Scene) => {
  const ideation_id = await scene.ideation()
  await scene.consolidated()
  const { entries } = await scene.world.ok('list_kg_audit', { board_id: scene.boardId })
  const session = entries.find((entry: { artifact_id: string }) => entry.artifact_id === ideation_id)
  return { board_id: scene.boardId, session_id: session.session_id }
}

/** An entry that waits because the board's consolidation is off. */
const onEntry = async (scene: Scene) => {
  const board_id = scene.boardId
  await scene.world.ok('put_board_kg_settings', { board_id, consolidation_enabled: false })
  await scene.ideation()
  const { entries } = await scene.world.ok('list_kg_pending', { board_id, limit: 1 })
  return { board_id, queue_entry_id: entries[0].id, recursive: true }
}

/** A board without a running backfill. */
const idleBoard = async (scene: Scene) => {
  await scene.consolidated()
  return onBoard(scene)
}

/** The board, while no tick runs. */
const betweenTicks = async (scene: Scene) => {
  while ((await scene.world.ok('get_kg_health', onBoard(scene))).tick_in_progress);
  return { ...onBoard(scene), force_full_rebuild: true }
}

const inGraph = async (scene: Scene) => {
  await scene.specInGraph()
  return onBoard(scene)
}

export const knowledgeGraph: Rows<'knowledge-graph'> = {
  list_kg_dead_letters: { args: onBoard },
  get_kg_health: { args: onBoard },
  list_kg_nodes: { args: async scene => ({ ...(await inGraph(scene)), type: 'Decision', limit: 2 }) },
  get_kg_node: { args: onNode },
  get_kg_graph: {
    args: async scene => {
      const { spec_id } = await scene.specInGraph()
      return { ...onBoard(scene), center: spec_id, depth: 1 }
    },
  },
  get_kg_path: {
    args: async scene => {
      const { spec_id, node } = await scene.specInGraph()
      return { ...onBoard(scene), from: await node('decision:d1'), to: spec_id, max_length: 3 }
    },
  },
  find_similar_kg_nodes: { args: async scene => ({ ...(await inGraph(scene)), topic: 'sessions in redis' }) },
  get_kg_supersedence: {
    args: async scene => {
      const { board_id, node_id } = await onNode(scene)
      return { board_id, decision_id: node_id }
    },
  },
  list_kg_contradictions: { args: onBoard },
  get_kg_stats: { args: inGraph },
  get_kg_metrics: { args: inGraph },
  list_kg_audit: { args: async scene => ({ ...(await inGraph(scene)), limit: 2 }) },
  undo_kg_session: { args: onSession },
  export_kg_audit: { args: async scene => ({ ...(await inGraph(scene)), format: 'csv' }) },
  search_kg_global: { args: async scene => (await inGraph(scene)) && { q: 'sessions in redis' } },
  start_kg_backfill: { args: idleBoard },
  cancel_kg_backfill: { args: onBoard },
  get_kg_backfill_progress: { args: onBoard },
  delete_board_kg: { args: onBoard },
  get_kg_settings: { args: () => ({}) },
  get_board_kg_settings: { args: onBoard },
  put_board_kg_settings: { args: scene => ({ ...onBoard(scene), audit_retention_days: 30 }) },
  query_kg_cypher: {
    args: async scene => ({
      ...(await inGraph(scene)),
      cypher: 'MATCH (n:Decision) RETURN n.title AS title, n LIMIT 2',
    }),
  },
  get_kg_schema: { args: scene => ({ ...onBoard(scene), include_internal: true }) },
  list_kg_pending: { args: onBoard },
  get_kg_pending_tree: { args: async scene => ({ ...(await inGraph(scene)), depth: 3 }) },
  stream_kg_events: { args: async scene => ({ ...(await inGraph(scene)), since: '0' }) },
  retry_kg_pending: { args: onEntry },
  boost_kg_node: { args: async scene => ({ ...(await onNode(scene)), reason: 'It matters' }) },
  get_kg_openapi: { args: () => ({}) },
  migrate_kg_schema: { args: inGraph },
  run_kg_tick: { args: betweenTicks },
  get_kg_queue_health: { args: () => ({}) },
}
