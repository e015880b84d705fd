import type { World } from './world.ts'

/** A record as the operations answer it. */
// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
type Answered = any

/** Draws one of some records by a number; undefined of none. */
const pick = (from: readonly Answered[], draw: number): Answered => from[draw % Math.max(1, from.length)]

/** A board with records of every kind that operations change: two specs, cards of each, and parts of them. */
export async function varied(world: World): Promise<string> {
  const { id: board_id } = await world.ok('create_board', { name: 'Source', description: '' })
  await world.ok('create_ideation', { board_id, title: 'Idea' })
  for (const at of [1, 2]) {
    const { id: spec_id } = await world.ok('create_spec', {
      board_id,
      title: `Spec ${at}`,
      status: 'in_progress',
      functional_requirements: ['Keep'],
      acceptance_criteria: ['First', 'Second'],
      test_scenarios: ['s1', 's2'].map(id => ({ id, title: id, linked_criteria: ['0'] })),
      business_rules: [
        { id: 'r1', title: 'Rule', rule: 'Always', when: 'Any', then: 'All', linked_requirements: ['0'] },
      ],
    })
    const made = { board_id, spec_id }
    const { id: card_id } = await world.ok('create_card', { ...made, title: 'Work' })
    await world.ok('create_card', { ...made, title: 'Test', card_type: 'test', test_scenario_ids: ['s1'] })
    const { id: waiting } = await world.ok('create_card', { ...made, title: 'Linked', test_scenario_ids: ['s2'] })
    await world.ok('link_task_to_item', { spec_id, item_type: 'business_rule', item_id: 'r1', card_id })
    await world.ok('add_card_dependency', { card_id: waiting, depends_on_id: card_id })
    await world.ok('create_sprint', { ...made, title: 'Sprint', card_ids: [card_id] })
    await world.ok('ask_spec_question', { spec_id, question: 'Why?' })
    await world.ok('ask_card_question', { card_id, question: 'How?' })
    await world.ok('create_spec_knowledge', { spec_id, title: 'Notes', content: 'Known' })
    await world.ok('create_comment', { card_id, content: 'Said' })
    await world.ok('upload_attachment', { board_id, card_id, file: new File(['bytes'], 'notes.txt') })
    await world.ok('create_spec_architecture', {
      spec_id,
      title: 'Design',
      global_description: 'All of it',
      diagrams: [{ title: 'Picture', diagram_type: 'other', adapter_payload: { draw: 0 } }],
    })
  }
  await world.ok('execute_discovery_intent', { board_id, intent_id: 'recent_activity', save_as: 'Search' })
  return board_id
}

/** A board that is changed by operations as they are drawn. */
interface Board {
  readonly world: World
  readonly board_id: string
  readonly draw: number
}

const listed = async ({ world, board_id }: Board, kind: 'specs' | 'cards' | 'ideations'): Promise<Answered[]> =>
  world.ok(`list_${kind}`, { board_id, limit: 100, include_archived: true })

async function drawnSpec(board: Board): Promise<Answered> {
  const spec = pick(await listed(board, 'specs'), board.draw)
  return spec && board.world.ok('get_spec', { spec_id: spec.id })
}

async function drawnCard(board: Board, card_type?: string): Promise<Answered> {
  const cards = (await listed(board, 'cards')).filter(card => card_type === undefined || card.card_type === card_type)
  const card = pick(cards, board.draw)
  return card && board.world.ok('get_card', { card_id: card.id })
}

type Change = (board: Board) => Promise<unknown>

/** Changes by operations, each to a drawn record; one that is refused changes nothing. */
export const changes = {
  'change a spec': async board => {
    const spec = await drawnSpec(board)
    return spec && board.world.call('update_spec', { spec_id: spec.id, context: `Context ${board.draw}` })
  },
  'drop a scenario': async board => {
    const spec = await drawnSpec(board)
    const test_scenarios = (spec?.test_scenarios ?? []).slice(1)
    return spec && board.world.call('update_spec', { spec_id: spec.id, test_scenarios })
  },
  'replace a criterion': async board => {
    const spec = await drawnSpec(board)
    const acceptance_criteria = [`Criterion ${board.draw}`]
    const test_scenarios = spec?.test_scenarios?.map((scenario: object) => ({ ...scenario, linked_criteria: ['0'] }))
    return spec && board.world.call('update_spec', { spec_id: spec.id, acceptance_criteria, test_scenarios })
  },
  'delete a spec': async board => {
    const spec = await drawnSpec(board)
    return spec && board.world.call('delete_spec', { spec_id: spec.id })
  },
  'archive a spec': async ({ world, board_id, ...rest }) => {
    const spec = await drawnSpec({ world, board_id, ...rest })
    return spec && world.call('archive_record', { board_id, entity_type: 'spec', entity_id: spec.id })
  },
  'change a card': async board => {
    const card = await drawnCard(board)
    const labels = [`label-${board.draw}`]
    return card && board.world.call('update_card', { card_id: card.id, title: `Card ${board.draw}`, labels })
  },
  'link a card': async board => {
    const card = await drawnCard(board, 'test')
    return card && board.world.call('update_card', { card_id: card.id, test_scenario_ids: ['s2'] })
  },
  'unlink a card': async board => {
    const card = await drawnCard(board, 'normal')
    return card && board.world.call('update_card', { card_id: card.id, test_scenario_ids: [] })
  },
  'move a card': async board => {
    const card = await drawnCard(board)
    return card && board.world.call('move_card', { card_id: card.id, status: 'in_progress' })
  },
  'put a card on another spec': async board => {
    const [card, spec] = [await drawnCard(board, 'normal'), await drawnSpec(board)]
    return card && spec && board.world.call('update_card', { card_id: card.id, spec_id: spec.id })
  },
  'delete a card': async board => {
    const card = await drawnCard(board)
    return card && board.world.call('delete_card', { card_id: card.id })
  },
  'make a card': async ({ world, board_id, draw }) => {
    const spec = await drawnSpec({ world, board_id, draw })
    return spec && world.call('create_card', { board_id, spec_id: spec.id, title: `New ${draw}` })
  },
  'answer a question': async board => {
    const spec = await drawnSpec(board)
    const [question] = spec?.qa_items ?? []
    return (
      question &&
      board.world.call('answer_spec_question', { spec_id: spec.id, qa_id: question.id, answer: `Answer ${board.draw}` })
    )
  },
  'change a design': async board => {
    const spec = await drawnSpec(board)
    const [design] = spec ? await board.world.ok('list_spec_architecture', { spec_id: spec.id }) : []
    const { diagrams = [], id } = design ?? {}
    const payload = { draw: board.draw }
    await (id && board.world.call('update_architecture', { design_id: id, title: `Design ${board.draw}` }))
    const [diagram] = diagrams
    return diagram && board.world.call('put_diagram_payload', { design_id: id, diagram_id: diagram.id, payload })
  },
  'save a search again': ({ world, board_id, draw }) =>
    world.call('execute_discovery_intent', {
      board_id,
      intent_id: ['my_mentions', 'recent_activity'][draw % 2],
      save_as: 'Search',
    }),
  'delete knowledge': async board => {
    const spec = await drawnSpec(board)
    const [known] = spec ? await board.world.ok('list_spec_knowledge', { spec_id: spec.id }) : []
    return known && board.world.call('delete_spec_knowledge', { spec_id: spec.id, knowledge_id: known.id })
  },
  'comment on a card': async board => {
    const card = await drawnCard(board)
    return card && board.world.call('create_comment', { card_id: card.id, content: `Comment ${board.draw}` })
  },
  'change an ideation': async board => {
    const ideation = pick(await listed(board, 'ideations'), board.draw)
    const title = `Idea ${board.draw}`
    return ideation && board.world.call('update_ideation', { ideation_id: ideation.id, title })
  },
} satisfies Record<string, Change>

export type ChangeName = keyof typeof changes
