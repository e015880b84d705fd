import { type BacklogIssue, blockersOf, priorityOf } from '../lab/data/backlog.ts'
import type { Agent, Step } from './agent.ts'
import { scene, shortened } from './screen.ts'

/** How long an agent waits in one call for another, ms. */
const patience = 20_000

/** Scenarios that one test card covers: fewer than a board's `max_scenarios_per_card`. */
const scenariosPerCard = 2

/** The planner takes an epic from an idea to an approved spec with its cards; the owner answers a question. */
export async function plan(
  planner: Agent,
  owner: Agent,
  board_id: string,
  epic: BacklogIssue,
  children: readonly BacklogIssue[],
): Promise<void> {
  scene(`1. The idea: "${shortened(epic.title, 70)}"`)
  await planner.call('read_context', { uri: 'specboard://guides/workflow' })
  const answered = answer(owner, board_id)
  const idea = await propose(planner, board_id, epic, children)
  await answered

  scene('2. The spec')
  const spec_id = await derive(planner, idea)
  await write(planner, board_id, spec_id, children)
}

async function propose(
  planner: Agent,
  board_id: string,
  epic: BacklogIssue,
  children: readonly BacklogIssue[],
): Promise<string> {
  const [idea] = await planner.run([
    {
      as: 'idea',
      name: 'create_ideation',
      arguments: {
        board_id,
        title: epic.title,
        description: shortened(epic.description, 1_000),
        problem_statement: `${children.length} pieces of work belong together.`,
      },
    },
    {
      name: 'ask_ideation_question',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of run_operations
      arguments: { ideation_id: '${idea.id}', question: 'Deliver everything at once?' },
    },
  ])
  planner.says('writes an ideation and asks "Deliver everything at once?"', idea.ref)
  await planner.call('list_board_events', { board_id, action: 'ideation_question_answered', wait_ms: patience })
  return idea.ref
}

/** The owner waits for a question and answers it. */
async function answer(owner: Agent, board_id: string): Promise<void> {
  const { events } = await owner.call('list_board_events', {
    board_id,
    action: 'ideation_question_added',
    wait_ms: patience,
  })
  const [{ entity_id: ideation_id, details }] = events
  await owner.call('answer_ideation_question', { ideation_id, qa_id: details.qa_id, answer: 'Yes, all of it.' })
  owner.says('hears of the question from the events and answers', 'Yes, all of it.')
}

async function derive(planner: Agent, ideation_id: string): Promise<string> {
  const move = (status: string): Step => ({
    name: 'move_ideation',
    arguments: { ideation_id, status },
    fields: 'status',
  })
  const values = await planner.run([
    ...['review', 'approved', 'evaluating'].map(move),
    {
      name: 'evaluate_ideation',
      arguments: { ideation_id, domains: 1, ambiguity: 1, dependencies: 1 },
      fields: 'complexity',
    },
    move('done'),
    { name: 'derive_spec_from_ideation', arguments: { ideation_id }, fields: 'ref' },
  ])
  const spec = values.at(-1)
  planner.says('evaluates the ideation, takes it to done and derives a spec', spec.ref)
  return spec.ref
}

/** Writes the spec, approves it, and creates its cards with their order. */
async function write(
  planner: Agent,
  board_id: string,
  spec_id: string,
  children: readonly BacklogIssue[],
): Promise<void> {
  const within = new Set(children.map(child => child.id))
  const cardOf = (id: string) => `\${card_${children.findIndex(child => child.id === id)}.id}`
  const wait = (card: string, on: string): Step => ({
    name: 'add_card_dependency',
    arguments: { card_id: card, depends_on_id: on },
    fields: 'depends_on_id',
  })
  const tests = Math.ceil(children.length / scenariosPerCard)
  await planner.run([
    { name: 'update_spec', arguments: { spec_id, ...contentOf(children) }, fields: 'version' },
    ...['review', 'approved'].map(status => ({ name: 'move_spec', arguments: { spec_id, status }, fields: 'status' })),
    ...children.map((child, index) => ({
      as: `card_${index}`,
      name: 'create_card',
      arguments: {
        board_id,
        spec_id,
        title: child.title,
        description: shortened(child.description, 300),
        priority: priorityOf(child),
      },
      fields: 'ref',
    })),
    ...Array.from({ length: tests }, (_, index) => ({
      as: `test_${index}`,
      name: 'create_card',
      arguments: {
        board_id,
        spec_id,
        card_type: 'test',
        title: `Test ${index + 1}`,
        test_scenario_ids: children.flatMap((_, at) =>
          Math.floor(at / scenariosPerCard) === index ? [`ts_${at}`] : [],
        ),
      },
      fields: 'ref',
    })),
    ...children.flatMap(child => blockersOf(child, within).map(blocker => wait(cardOf(child.id), cardOf(blocker)))),
    ...children.map((child, index) => wait(`\${test_${Math.floor(index / scenariosPerCard)}.id}`, cardOf(child.id))),
    { name: 'link_task_to_item', arguments: { spec_id, item_id: 'br_1', card_id: cardOf(children[0]!.id) } },
  ])
  planner.says('writes it, approves it and creates its cards', `${children.length} cards and ${tests} test cards`)
}

/** The content of the spec: a requirement, a criterion and a scenario for each child, and one rule for all. */
const contentOf = (children: readonly BacklogIssue[]) => ({
  functional_requirements: children.map(child => child.title),
  acceptance_criteria: children.map(child => `Seen at work: ${shortened(child.title, 80)}`),
  test_scenarios: children.map((child, index) => ({
    id: `ts_${index}`,
    title: `${shortened(child.title, 60)} works`,
    linked_criteria: [String(index)],
  })),
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
})
