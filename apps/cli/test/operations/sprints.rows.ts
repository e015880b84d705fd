import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

type Status = Parameters<Scene['sprint']>[0]

/** The id of a new sprint in a status. */
const sprint = async (scene: Scene, status?: Status) => ({ sprint_id: (await scene.sprint(status)).sprint_id })

export const sprints: Rows<'sprints'> = {
  list_board_sprints: {
    args: async scene => {
      await scene.sprint()
      return { board_id: scene.boardId, status: 'draft', limit: 5 }
    },
  },
  create_sprint: {
    args: async scene => {
      const spec_id = await scene.specWithScenarios(2)
      const card_ids = [await scene.testCard({ spec_id })]
      const dates = { start_date: '2026-01-05', end_date: '2026-01-16T17:00:00+01:00' }
      return { board_id: scene.boardId, spec_id, title: 'First', test_scenario_ids: ['s1'], card_ids, ...dates }
    },
  },
  list_spec_sprints: {
    args: async scene => ({ board_id: scene.boardId, spec_id: (await scene.sprint()).spec_id }),
  },
  get_sprint: { args: scene => sprint(scene, 'closed') },
  update_sprint: { args: async scene => ({ ...(await sprint(scene)), objective: 'Ship it', labels: ['a'] }) },
  move_sprint: { args: async scene => ({ ...(await sprint(scene)), status: 'active' }) },
  delete_sprint: { args: scene => sprint(scene) },
  submit_sprint_evaluation: {
    args: async scene => ({
      ...(await sprint(scene, 'review')),
      overall_score: 80,
      recommendation: 'approve',
      granularity: 70,
      note: { mine: true },
    }),
  },
  assign_sprint_tasks: {
    args: async scene => {
      const { sprint_id, spec_id } = await scene.sprint()
      return { sprint_id, card_ids: [await scene.card({ spec_id })] }
    },
  },
  unassign_sprint_tasks: {
    args: async scene => {
      const { sprint_id, card_id } = await scene.sprint()
      return { sprint_id, card_ids: [card_id, 'unknown'] }
    },
  },
  list_sprint_history: { args: scene => sprint(scene, 'closed') },
  suggest_sprints: {
    args: async scene => {
      const spec_id = await scene.specWithScenarios()
      await scene.testCard({ spec_id })
      return { board_id: scene.boardId, spec_id, threshold: 1 }
    },
  },
}
