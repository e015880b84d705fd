import type { BacklogIssue } from '../backlog.ts'
import { blockersOf, priorityOf } from '../backlog.ts'
import type { Crew } from './crew.ts'
import { refused, says, scene, shortened } from './screen.ts'

/** The result of planning: the spec and its cards, by the id of the issue that each delivers. */
export interface Plan {
  readonly specId: string
  readonly ideationId: string
  readonly cards: ReadonlyMap<string, string>
  readonly tests: readonly string[]
}

/** Scenarios that one test card covers, as the board's `max_scenarios_per_card` allows. */
const scenariosPerCard = 3

/** Takes an epic to a validated, locked spec with a card for each child. */
export async function plan(crew: Crew, epic: BacklogIssue, children: readonly BacklogIssue[]): Promise<Plan> {
  const { writer, validator, boardId } = crew
  scene(`1. The idea: "${shortened(epic.title, 70)}"`)
  const ideation = await writer.createIdeation({
    board_id: boardId,
    title: epic.title,
    description: epic.description || null,
    problem_statement: `${children.length} pieces of work belong together.`,
    labels: ['demo'],
  })
  says('spec writer', 'writes an ideation', ideation.status)
  const question = await writer.askIdeationQuestion({
    ideation_id: ideation.id,
    question: 'Deliver everything at once?',
    question_type: 'choice',
    choices: [
      { id: 'all', label: 'Everything in one sprint' },
      { id: 'part', label: 'Part by part' },
    ],
  })
  await validator.answerIdeationQuestion({ ideation_id: ideation.id, qa_id: question.id, selected: ['all'] })
  says('validator', 'answers the question "Deliver everything at once?"', 'Everything in one sprint')
  await refused('spec writer', 'moves it straight to done', 'INVALID_TRANSITION', () =>
    writer.moveIdeation({ ideation_id: ideation.id, status: 'done' }),
  )
  for (const status of ['review', 'approved', 'evaluating'] as const)
    await writer.moveIdeation({ ideation_id: ideation.id, status })
  const evaluated = await writer.evaluateIdeation({
    ideation_id: ideation.id,
    domains: 2,
    ambiguity: 2,
    dependencies: children.length > 5 ? 4 : 2,
  })
  says('spec writer', 'evaluates it: domains, ambiguity, dependencies', `complexity ${evaluated.complexity}`)
  await writer.moveIdeation({ ideation_id: ideation.id, status: 'done' })
  says('spec writer', 'moves it through review and approval', 'done')

  await refused('spec writer', 'derives a spec from it', 'REFINEMENT_REQUIRED', () =>
    writer.deriveSpecFromIdeation({ ideation_id: ideation.id }),
  )
  const refinement = await writer.createRefinement({
    ideation_id: ideation.id,
    title: `Scope of ${epic.title}`.slice(0, 500),
    in_scope: children.map(child => child.title),
    out_of_scope: ['Anything that no child names'],
    decisions: ['Deliver in one sprint, in the order of the dependencies'],
  })
  for (const status of ['review', 'approved', 'done'] as const)
    await writer.moveRefinement({ refinement_id: refinement.id, status })
  says('spec writer', `refines it: ${children.length} things in scope`, 'done')

  scene('2. The spec')
  const spec = await writer.deriveSpecFromRefinement({ refinement_id: refinement.id })
  const scenarios = children.map((child, index) => ({
    id: `ts_${index}`,
    title: `${shortened(child.title, 80)} works`,
    linked_criteria: [String(index)],
  }))
  await writer.updateSpec({
    spec_id: spec.id,
    functional_requirements: children.map(child => child.title),
    acceptance_criteria: children.map(child => `Done means: ${shortened(child.title, 200)}`),
    test_scenarios: scenarios,
    business_rules: [
      {
        id: 'br_1',
        title: 'In order',
        rule: 'Work follows its dependencies.',
        when: 'a piece is started',
        then: 'what it waits for is done',
        linked_requirements: children.map((_, index) => String(index)),
      },
    ],
    api_contracts: [
      { id: 'ac_1', method: 'EVENT', path: 'delivery.finished', description: 'Sent when the last piece is done.' },
    ],
  })
  says('spec writer', 'writes it', `${children.length} requirements, criteria and scenarios, 1 rule, 1 contract`)
  for (const status of ['review', 'approved'] as const) await writer.moveSpec({ spec_id: spec.id, status })

  const cards = new Map<string, string>()
  for (const child of children) {
    const card = await writer.createCard({
      board_id: boardId,
      spec_id: spec.id,
      title: child.title,
      description: child.description || null,
      priority: priorityOf(child),
    })
    cards.set(child.id, card.id)
  }
  let links = 0
  const within = new Set(cards.keys())
  for (const child of children) {
    for (const blocker of blockersOf(child, within)) {
      await writer.addCardDependency({ card_id: cards.get(child.id)!, depends_on_id: cards.get(blocker)! })
      links++
    }
  }
  says('spec writer', `creates a card for each child`, `${cards.size} cards, ${links} dependencies`)
  await refused('validator', 'validates the spec', 'COVERAGE_REQUIRED', () => validate(crew, spec.id))
  const tests: string[] = []
  for (let from = 0; from < scenarios.length; from += scenariosPerCard) {
    const covered = scenarios.slice(from, from + scenariosPerCard)
    const card = await writer.createCard({
      board_id: boardId,
      spec_id: spec.id,
      card_type: 'test',
      title: `Test ${from / scenariosPerCard + 1}: ${covered.length} scenarios`,
      test_scenario_ids: covered.map(scenario => scenario.id),
    })
    tests.push(card.id)
  }
  const everyCard = [...cards.values()]
  const { business_rules: rules, api_contracts: contracts } = await writer.getSpec({ spec_id: spec.id })
  await writer.updateSpec({
    spec_id: spec.id,
    business_rules: rules!.map(rule => ({ ...rule, linked_task_ids: everyCard })),
    api_contracts: contracts!.map(contract => ({ ...contract, linked_task_ids: everyCard.slice(-1) })),
  })
  says('spec writer', 'covers what was missing', `${tests.length} test cards, rule and contract linked to cards`)
  const validation = await validate(crew, spec.id)
  says(
    'validator',
    'validates the spec again',
    `${validation.outcome}; the spec is ${validation.spec_status} and locked`,
  )
  await refused('spec writer', 'changes a requirement anyway', 'SPEC_LOCKED', () =>
    writer.updateSpec({ spec_id: spec.id, functional_requirements: ['Something else'] }),
  )
  await validator.updateSpec({
    spec_id: spec.id,
    evaluation: {
      breakdown_completeness: 90,
      breakdown_justification: 'Every child has a card.',
      granularity: 85,
      granularity_justification: 'Each card is a day or less.',
      dependency_coherence: 95,
      dependency_justification: 'No cycles, no gaps.',
      test_coverage_quality: 80,
      test_coverage_justification: 'One scenario per criterion.',
      overall_score: 88,
      overall_justification: 'Ready to be built.',
      recommendation: 'approve',
    },
  })
  await validator.moveSpec({ spec_id: spec.id, status: 'in_progress' })
  says('validator', 'evaluates the breakdown and opens it for work', 'in_progress')
  return { specId: spec.id, ideationId: ideation.id, cards, tests }
}

const validate = ({ validator }: Crew, specId: string) =>
  validator.submitSpecValidation({
    spec_id: specId,
    completeness: 92,
    completeness_justification: 'Each child is in it.',
    assertiveness: 88,
    assertiveness_justification: 'The criteria can be tested.',
    ambiguity: 12,
    ambiguity_justification: 'Two words could be clearer.',
    general_justification: 'Complete, testable and unambiguous enough to be built.',
    recommendation: 'approve',
  })
