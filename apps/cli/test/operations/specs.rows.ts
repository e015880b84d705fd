import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const scenario = { id: 's1', title: 'It works' }

/** A new card on a new spec with one scenario; returns the arguments that name all three. */
async function cardOnSpec(scene: Scene) {
  const spec_id = await scene.spec('approved', { test_scenarios: [scenario] })
  return { spec_id, scenario_id: scenario.id, card_id: await scene.card({ spec_id }) }
}

async function linkedCard(scene: Scene) {
  const link = await cardOnSpec(scene)
  await scene.world.ok('link_task_to_scenario', link)
  return link
}

/** A new card on a new spec with one business rule; returns the arguments that name all three. */
async function cardAndRule(scene: Scene) {
  const rule = { id: 'r1', title: 'Sum', rule: 'adds', when: 'asked', then: 'adds' }
  const spec_id = await scene.spec('approved', { business_rules: [rule] })
  return { spec_id, item_id: rule.id, card_id: await scene.card({ spec_id }) }
}

/** An evaluation of a spec; approves unless said. */
export const evaluation = (recommendation = 'approve', overall_score = 80) => ({
  breakdown_completeness: 90,
  breakdown_justification: 'All there.',
  granularity: 80,
  granularity_justification: 'Small enough.',
  dependency_coherence: 70,
  dependency_justification: 'In order.',
  test_coverage_quality: 60,
  test_coverage_justification: 'Enough.',
  overall_score,
  overall_justification: 'Good.',
  recommendation,
})

export const validation = {
  completeness: 90,
  completeness_justification: 'Nothing is missing.',
  assertiveness: 90,
  assertiveness_justification: 'Every rule says must.',
  ambiguity: 10,
  ambiguity_justification: 'One reading is possible.',
  general_justification: 'It can be built as it stands.',
  recommendation: 'approve',
}

export const specs: Rows<'specs'> = {
  create_spec: {
    args: scene => ({
      board_id: scene.boardId,
      title: 'Spec',
      functional_requirements: ['It adds'],
      technical_requirements: ['Plain', { id: 't1', text: 'Fast', budget_ms: 5 }],
      acceptance_criteria: ['1 + 1 = 2'],
      test_scenarios: [
        {
          ...scenario,
          linked_criteria: ['0'],
          status: 'automated',
          evidence: { test_file_path: 'a', test_function: 'b' },
        },
      ],
      business_rules: [
        { id: 'r1', title: 'Sum', rule: 'adds', when: 'asked', then: 'adds', linked_requirements: ['0'] },
      ],
      api_contracts: [{ id: 'c1', method: 'get', path: '/sum', linked_rules: ['r1'] }],
      decisions: [{ id: 'd1', title: 'Integers', rationale: 'Simple' }],
      screen_mockups: [{ id: 'm1', title: 'Sum' }],
      labels: ['a'],
    }),
  },
  put_spec_items: {
    args: async scene => ({
      spec_id: await scene.spec('draft', { acceptance_criteria: ['1 + 1 = 2', 'It is fast'] }),
      test_scenarios: [{ title: 'Adds', linked_criteria: ['0'] }],
      acceptance_criteria: ['It never fails', { was: '1 + 1 = 2', text: '2 + 2 = 4' }],
      remove: ['It is fast'],
    }),
  },
  list_spec_items: {
    args: async scene => ({ spec_id: await scene.specWithScenarios(2), list: 'test_scenarios', linked: 'none' }),
  },
  list_specs: {
    args: async scene => {
      await scene.spec()
      return { board_id: scene.boardId, status: 'draft', limit: 10 }
    },
  },
  get_spec: { args: async scene => ({ spec_id: (await linkedCard(scene)).spec_id }) },
  update_spec: { args: async scene => ({ spec_id: await scene.spec(), context: 'More' }) },
  move_spec: { args: async scene => ({ spec_id: await scene.spec(), status: 'review' }) },
  delete_spec: { args: async scene => ({ spec_id: await scene.spec() }) },
  list_spec_history: { args: async scene => ({ spec_id: await scene.spec() }) },
  link_card_to_spec: {
    args: async scene => ({ spec_id: await scene.spec('approved'), card_id: await scene.card() }),
  },
  unlink_card_from_spec: {
    args: async scene => {
      const { spec_id, card_id } = await linkedCard(scene)
      return { spec_id, card_id }
    },
  },
  link_task_to_scenario: { args: cardOnSpec },
  unlink_task_from_scenario: { args: linkedCard },
  list_spec_knowledge: { args: async scene => ({ spec_id: (await scene.knowledge('spec')).spec_id }) },
  get_spec_knowledge: { args: scene => scene.knowledge('spec') },
  create_spec_knowledge: { args: async scene => ({ spec_id: await scene.spec(), title: 'Notes', content: 'Known.' }) },
  delete_spec_knowledge: { args: scene => scene.knowledge('spec') },
  list_spec_questions: { args: async scene => ({ spec_id: (await scene.question('spec')).spec_id }) },
  ask_spec_question: { args: async scene => ({ spec_id: await scene.spec(), question: 'Why?' }) },
  answer_spec_question: { args: async scene => ({ ...(await scene.question('spec')), answer: 'Because.' }) },
  delete_spec_question: { args: scene => scene.question('spec') },
  submit_spec_validation: { args: async scene => ({ spec_id: await scene.spec('approved'), ...validation }) },
  list_spec_validations: {
    args: async scene => {
      const spec_id = await scene.spec('approved')
      await scene.world.ok('submit_spec_validation', { spec_id, ...validation })
      return { spec_id }
    },
  },
  record_scenario_result: {
    args: async scene => ({
      spec_id: await scene.spec('approved', { test_scenarios: [scenario] }),
      scenario_id: scenario.id,
      status: 'passed',
      evidence: { last_run_at: '2026-01-02T03:04:05Z', test_run_id: 'run 7' },
      note: 'All green',
    }),
  },
  submit_spec_evaluation: { args: async scene => ({ spec_id: await scene.spec('validated'), ...evaluation() }) },
  link_task_to_item: { args: cardAndRule },
  unlink_task_from_item: {
    args: async scene => {
      const link = await cardAndRule(scene)
      await scene.world.ok('link_task_to_item', link)
      return link
    },
  },
}
