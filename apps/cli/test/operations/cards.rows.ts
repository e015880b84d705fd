import { doneReport } from '../support/report.ts'
import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const onCard = async (scene: Scene) => ({ card_id: await scene.card() })

async function knowledge(scene: Scene) {
  const card_id = await scene.card()
  const { id } = await scene.world.ok('create_card_knowledge', { card_id, title: 'Notes', content: 'Text' })
  return { card_id, kb_id: id }
}

async function validation(scene: Scene) {
  const card_id = await scene.card({ status: 'validation' })
  const { id } = await scene.world.ok('submit_task_validation', { card_id, outcome: 'success', summary: 'Good.' })
  return { card_id, validation_id: id }
}

async function dependency(scene: Scene) {
  const link = { card_id: await scene.card(), depends_on_id: await scene.card() }
  await scene.world.ok('add_card_dependency', link)
  return link
}

async function testTask(scene: Scene) {
  const spec_id = await scene.specWithScenarios()
  const card_id = await scene.bug({ origin_task_id: await scene.card({ spec_id }) })
  return { card_id, test_task_id: await scene.testCard({ spec_id }) }
}

export const cards: Rows<'cards'> = {
  promote_card: { args: async scene => ({ card_id: await scene.smallChange() }) },
  list_cards: {
    args: async scene => {
      const card_id = await scene.card({ labels: ['a'], due_date: '2026-01-02' })
      await scene.world.ok('claim_card', { card_id })
      await scene.cardQuestion(card_id)
      return { board_id: scene.boardId, label: 'a', limit: 5 }
    },
  },
  get_card: {
    args: async scene => {
      const card_id = await scene.card({ status: 'validation', labels: ['a'], due_date: '2026-01-02' })
      await scene.world.ok('move_card', { card_id, target_status: 'validation', ...doneReport })
      await scene.world.ok('submit_task_validation', { card_id, outcome: 'success', summary: 'Good.' })
      await scene.world.ok('add_card_dependency', { card_id, depends_on_id: await scene.card() })
      await scene.world.ok('create_card_knowledge', { card_id, title: 'Notes', content: 'Text' })
      const choice = { comment_type: 'choice', choices: [{ id: 'a', label: 'A' }] }
      const comment = await scene.world.ok('create_comment', { card_id, content: 'Which?', ...choice })
      await scene.world.ok('respond_to_comment', { comment_id: comment.id, selected: ['a'] })
      await scene.cardQuestion(card_id)
      await scene.attachment(card_id)
      return { card_id }
    },
  },
  update_card: { args: async scene => ({ card_id: await scene.card(), description: 'More' }) },
  move_card: {
    args: async scene => ({
      card_id: await scene.card({ spec_id: await scene.spec('in_progress') }),
      target_status: 'validation',
      ...doneReport,
    }),
  },
  list_card_dependencies: { args: async scene => ({ card_id: (await dependency(scene)).card_id, limit: 5 }) },
  list_board_dependencies: {
    args: async scene => {
      await dependency(scene)
      return { board_id: scene.boardId, limit: 5 }
    },
  },
  list_card_dependents: { args: async scene => ({ card_id: (await dependency(scene)).depends_on_id }) },
  add_card_dependency: { args: async scene => ({ card_id: await scene.card(), depends_on_id: await scene.card() }) },
  remove_card_dependency: { args: dependency },
  list_card_activity: { args: onCard },
  get_card_seen: {
    args: async scene => {
      const card_id = await scene.card()
      await scene.cardQuestion(card_id)
      await scene.world.ok('get_card', { card_id })
      return { card_id }
    },
  },
  link_test_task: { args: testTask },
  unlink_test_task: { args: testTask },
  delete_card: { args: onCard },
  submit_task_validation: {
    args: async scene => ({
      card_id: await scene.card({ status: 'validation' }),
      recommendation: 'approve',
      summary: 'Good.',
      evidence: [{ type: 'log', url: 'file:///log' }],
      confidence: 90,
      confidence_justification: 'Tested.',
      estimated_completeness: 95,
      completeness_justification: 'All of it.',
      estimated_drift: 5,
      drift_justification: 'As planned.',
    }),
  },
  list_task_validations: { args: async scene => ({ card_id: (await validation(scene)).card_id, limit: 5 }) },
  get_task_validation: { args: validation },
  delete_task_validation: { args: validation },
  list_card_knowledge: { args: async scene => ({ card_id: (await knowledge(scene)).card_id }) },
  create_card_knowledge: {
    args: async scene => ({ card_id: await scene.card(), title: 'Notes', content: 'Text', source: 'spec' }),
  },
  get_card_knowledge: { args: knowledge },
  update_card_knowledge: { args: async scene => ({ ...(await knowledge(scene)), content: 'More' }) },
  delete_card_knowledge: { args: knowledge },
  download_card_knowledge: { args: knowledge },
}
