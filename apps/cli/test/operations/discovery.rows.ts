import type { Rows } from './row.ts'

export const discovery: Rows<'discovery'> = {
  list_discovery_intents: { args: () => ({ category: 'coverage_tracing', limit: 2 }) },
  list_saved_searches: {
    args: async scene => {
      const search = { board_id: scene.boardId, intent_id: 'recent_activity', save_as: 'Activity' }
      await scene.world.ok('execute_discovery_intent', search)
      return { board_id: scene.boardId }
    },
  },
  list_search_history: {
    args: async (scene, caller) => {
      // An agent under test may lack the permission; its history is then empty.
      await scene.world.call(
        'execute_discovery_intent',
        { board_id: scene.boardId, intent_id: 'my_mentions' },
        { as: caller },
      )
      return { board_id: scene.boardId }
    },
  },
  execute_discovery_intent: {
    args: async (scene, caller) => ({
      board_id: scene.boardId,
      intent_id: 'dependencies_of_card',
      params: { card_id: await scene.card() },
      save_as: `Waiting, asked by ${caller.id}`,
    }),
  },
}
