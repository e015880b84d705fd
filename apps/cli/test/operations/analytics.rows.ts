import type { Rows } from './row.ts'

const board = (scene: { boardId: string }) => ({ board_id: scene.boardId })

export const analytics: Rows<'analytics'> = {
  get_analytics_overview: { args: () => ({ from: '2020-01-01' }) },
  get_blockers_analytics: {
    args: async scene => {
      await scene.card({ status: 'on_hold' })
      return { ...board(scene), limit: 5 }
    },
  },
  get_funnel_analytics: { args: board },
  get_quality_analytics: { args: board },
  get_velocity_analytics: { args: scene => ({ ...board(scene), granularity: 'day', days: 7 }) },
  get_flow_analytics: {
    args: async scene => ({ ...board(scene), granularity: 'week', spec_id: await scene.spec() }),
  },
  get_cycle_time_analytics: {
    args: async scene => ({ ...board(scene), sprint_id: (await scene.sprint('closed')).sprint_id, limit: 5 }),
  },
  get_coverage_analytics: {
    args: async scene => {
      await scene.spec()
      return { ...board(scene), limit: 5 }
    },
  },
  get_validation_analytics: { args: board },
  get_sprints_analytics: {
    args: async scene => {
      await scene.sprint('closed')
      return board(scene)
    },
  },
  get_spec_analytics: { args: async scene => ({ ...board(scene), spec_id: await scene.spec() }) },
  get_sprint_analytics: {
    args: async scene => ({ ...board(scene), sprint_id: (await scene.sprint('closed')).sprint_id }),
  },
  get_sprint_progress: {
    args: async scene => ({ ...board(scene), sprint_id: (await scene.sprint('active')).sprint_id }),
  },
  get_agent_analytics: {
    args: async scene => {
      await scene.card()
      return board(scene)
    },
  },
  list_entity_analytics: {
    args: async scene => {
      await scene.card()
      return { ...board(scene), type: 'card' }
    },
  },
  get_entity_analytics: {
    args: async scene => ({ ...board(scene), entity_type: 'card', entity_id: await scene.card() }),
  },
  export_analytics_overview: { args: () => ({}) },
  export_board_analytics: { args: board },
  export_entity_analytics: {
    args: async scene => ({ ...board(scene), entity_type: 'spec', entity_id: await scene.spec() }),
  },
}
