import { evaluation, validation } from '../operations/specs.rows.ts'
import { Scene } from './scene.ts'
import type { World } from './world.ts'

/** A record as the operations answer it. */
// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
type Answered = any

/** Picks one of some records by a number; undefined if there are none. */
const pick = (from: readonly Answered[], draw: number): Answered => from[draw % Math.max(1, from.length)]

/** A validation of a card by scores. */
const verdict = { outcome: 'success', summary: 'Good.' }

/** A board with records of every kind: an idea that went its way, two specs, cards of each, and parts of them. */
export async function varied(world: World): Promise<string> {
  const scene = await Scene.on(world)
  const board_id = scene.boardId
  await world.ok('create_ideation', { board_id, title: 'Idea' })
  const refinement_id = await scene.refinement('done')
  await world.ok('create_refinement_knowledge', { refinement_id, title: 'Notes', content: 'Known' })
  await world.ok('ask_refinement_question', { refinement_id, question: 'Whose?' })
  await world.ok('add_board_guideline', { board_id, title: 'Own', content: 'Of this board', priority: 2 })
  const { id: guideline_id } = await world.ok('create_guideline', { title: 'Global', content: 'Of all boards' })
  await world.ok('add_board_guideline', { board_id, guideline_id, priority: 3 })
  await world.ok('create_template', { board_id, entity_type: 'card', name: 'Chore', content: { title: 'Tidy up' } })
  await world.ok('create_repository', { board_id, name: 'shop', url: 'https://github.com/acme/shop' })
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
    const base = { board_id, spec_id }
    const { id: card_id } = await world.ok('create_card', { ...base, title: 'Work' })
    await world.ok('create_card', { ...base, title: 'Test', card_type: 'test', test_scenario_ids: ['s1'] })
    const { id: waiting } = await world.ok('create_card', { ...base, title: 'Linked', test_scenario_ids: ['s2'] })
    await world.ok('link_task_to_item', { spec_id, item_type: 'business_rule', item_id: 'r1', card_id })
    await world.ok('add_card_dependency', { card_id: waiting, depends_on_id: card_id })
    const { id: sprint_id } = await world.ok('create_sprint', { ...base, title: 'Sprint', card_ids: [card_id] })
    if (at === 1) {
      for (const status of ['active', 'review']) await world.ok('move_sprint', { sprint_id, status })
      await world.ok('submit_sprint_evaluation', { sprint_id, overall_score: 90, recommendation: 'approve' })
    }
    const { id: judged } = await world.ok('create_card', {
      ...base,
      title: 'Judged',
      status: 'validation',
      imported: true,
    })
    await world.ok('submit_task_validation', { card_id: judged, ...verdict })
    await world.ok('create_card_knowledge', { card_id, title: 'Notes', content: 'Known' })
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
  const locked = await scene.spec('approved', { title: 'Locked', decisions: [decision] })
  await world.ok('update_spec', { spec_id: locked, skip_decisions_coverage: true })
  await world.ok('submit_spec_validation', { spec_id: locked, ...validation })
  await world.ok('submit_spec_evaluation', { spec_id: locked, ...evaluation() })
  await scene.consolidated()
  await boosted(world, board_id, `spec:${locked}:decision:${decision.id}`)
  await undone(world, board_id, refinement_id)
  await world.ok('execute_discovery_intent', { board_id, intent_id: 'recent_activity', save_as: 'Search' })
  return board_id
}

const decision = { id: 'd1', title: 'Keep sessions in Redis', rationale: 'It is there' }

/** Boosts the node of the graph that stands for something, if there is one. */
async function boosted(world: World, board_id: string, center: string): Promise<unknown> {
  const { body } = await world.call('get_kg_graph', { board_id, center, limit: 1 })
  const node_id = body.nodes?.[0]?.id
  return node_id && world.call('boost_kg_node', { board_id, node_id, reason: 'It matters' })
}

/** Undoes the last session of the graph about a record, if there is one. */
async function undone(world: World, board_id: string, record: string): Promise<unknown> {
  const { entries } = await world.ok('list_kg_audit', { board_id, limit: 100 })
  const session = entries.find((entry: Answered) => entry.artifact_id === record && entry.undone_at === null)
  return session && world.call('undo_kg_session', { board_id, session_id: session.session_id })
}

/** A board that is changed by operations as they are drawn. */
interface Board {
  readonly world: World
  readonly board_id: string
  readonly draw: number
}

const listed = async (
  { world, board_id }: Board,
  kind: 'specs' | 'cards' | 'ideations' | 'board_sprints' | 'board_guidelines',
): Promise<Answered[]> => world.ok(`list_${kind}`, { board_id, limit: 100, include_archived: true })

async function drawnSpec(board: Board): Promise<Answered> {
  const spec = pick(await listed(board, 'specs'), board.draw)
  return spec && board.world.ok('get_spec', { spec_id: spec.id })
}

async function drawnCard(board: Board, card_type?: string): Promise<Answered> {
  const cards = (await listed(board, 'cards')).filter(card => card_type === undefined || card.card_type === card_type)
  const card = pick(cards, board.draw)
  return card && board.world.ok('get_card', { card_id: card.id })
}

async function drawnRefinement(board: Board): Promise<Answered> {
  const ideations = await listed(board, 'ideations')
  const lists = await Promise.all(
    ideations.map(({ id }) => board.world.ok('list_refinements', { ideation_id: id, limit: 100 })),
  )
  return pick(lists.flat(), board.draw)
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
    const [knowledge] = spec ? await board.world.ok('list_spec_knowledge', { spec_id: spec.id }) : []
    return knowledge && board.world.call('delete_spec_knowledge', { spec_id: spec.id, knowledge_id: knowledge.id })
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
  'go on with an ideation': async board => {
    const ideation = pick(await listed(board, 'ideations'), board.draw)
    const next = ['draft', 'review', 'approved', 'evaluating', 'done', 'draft']
    const status = next[next.indexOf(ideation?.status) + 1]
    return ideation && board.world.call('move_ideation', { ideation_id: ideation.id, status })
  },
  'delete an ideation': async board => {
    const ideation = pick(await listed(board, 'ideations'), board.draw)
    return ideation && board.world.call('delete_ideation', { ideation_id: ideation.id })
  },
  'refine an ideation': async board => {
    const ideation = pick(await listed(board, 'ideations'), board.draw)
    const refined = { title: `Refined ${board.draw}`, in_scope: ['All'] }
    return ideation && board.world.call('create_refinement', { ideation_id: ideation.id, ...refined })
  },
  'change a refinement': async board => {
    const refinement = await drawnRefinement(board)
    const analysis = `Analysis ${board.draw}`
    return refinement && board.world.call('update_refinement', { refinement_id: refinement.id, analysis })
  },
  'move a refinement': async board => {
    const refinement = await drawnRefinement(board)
    const next = ['draft', 'review', 'approved', 'done', 'draft']
    const status = next[next.indexOf(refinement?.status) + 1]
    return refinement && board.world.call('move_refinement', { refinement_id: refinement.id, status })
  },
  'change a guideline': async board => {
    const guideline = pick(await listed(board, 'board_guidelines'), board.draw)
    const content = `Content ${board.draw}`
    return guideline && board.world.call('update_guideline', { guideline_id: guideline.id, content })
  },
  'rank a guideline': async ({ world, board_id, draw }) => {
    const guideline = pick(await listed({ world, board_id, draw }, 'board_guidelines'), draw)
    const priority = 5 + draw
    return guideline && world.call('update_board_guideline', { board_id, guideline_id: guideline.id, priority })
  },
  'change a template': async ({ world, board_id, draw }) => {
    const [template] = await world.ok('list_templates', { board_id })
    return template && world.call('update_template', { template_id: template.id, content: { title: `Tidy ${draw}` } })
  },
  'change a repository': async ({ world, board_id, draw }) => {
    const [repository] = await world.ok('list_repositories', { board_id })
    return repository && world.call('update_repository', { repository_id: repository.id, default_branch: `b${draw}` })
  },
  'take a guideline off': async ({ world, board_id, draw }) => {
    const guideline = pick(await listed({ world, board_id, draw }, 'board_guidelines'), draw)
    return guideline && world.call('remove_board_guideline', { board_id, guideline_id: guideline.id })
  },
  'add a guideline': ({ world, board_id, draw }) =>
    world.call('add_board_guideline', { board_id, title: `Rule ${draw}`, content: 'More', priority: draw }),
  'evaluate a spec': async board => {
    const spec = await drawnSpec(board)
    return spec && board.world.call('submit_spec_evaluation', { spec_id: spec.id, ...evaluation('reject') })
  },
  'validate a spec': async board => {
    const spec = await drawnSpec(board)
    if (spec === undefined) return
    for (const status of ['draft', 'review', 'approved'])
      await board.world.call('move_spec', { spec_id: spec.id, status })
    return board.world.call('submit_spec_validation', { spec_id: spec.id, ...validation })
  },
  'evaluate a sprint': async board => {
    const sprint = pick(await listed(board, 'board_sprints'), board.draw)
    if (sprint === undefined) return
    const sprint_id = sprint.id
    for (const status of ['active', 'review']) await board.world.call('move_sprint', { sprint_id, status })
    const judged = { overall_score: board.draw, recommendation: 'reject' }
    return board.world.call('submit_sprint_evaluation', { sprint_id, ...judged })
  },
  'change a sprint': async board => {
    const sprint = pick(await listed(board, 'board_sprints'), board.draw)
    const objective = `Objective ${board.draw}`
    return sprint && board.world.call('update_sprint', { sprint_id: sprint.id, objective })
  },
  'validate a card': async board => {
    const card = await drawnCard(board)
    if (card === undefined) return
    await board.world.call('move_card', { card_id: card.id, status: 'validation' })
    return board.world.call('submit_task_validation', { card_id: card.id, ...verdict, outcome: 'failed' })
  },
  'delete a validation': async board => {
    const card = await drawnCard(board)
    const [judged] = card?.validations ?? []
    return judged && board.world.call('delete_task_validation', { card_id: card.id, validation_id: judged.id })
  },
  'change knowledge of a card': async board => {
    const card = await drawnCard(board)
    const [knowledge] = card?.knowledge_bases ?? []
    const content = `Content ${board.draw}`
    return knowledge && board.world.call('update_card_knowledge', { card_id: card.id, kb_id: knowledge.id, content })
  },
  'wait for a card': async board => {
    const [card, other] = [await drawnCard(board, 'normal'), await drawnCard({ ...board, draw: board.draw + 1 })]
    return card && other && board.world.call('add_card_dependency', { card_id: card.id, depends_on_id: other.id })
  },
  'boost a node': async ({ world, board_id, draw }) => {
    const spec = await drawnSpec({ world, board_id, draw })
    return spec && boosted(world, board_id, `spec:${spec.id}`)
  },
  'undo a session': async ({ world, board_id, draw }) => {
    const spec = await drawnSpec({ world, board_id, draw })
    return spec && undone(world, board_id, spec.id)
  },
} satisfies Record<string, Change>

export type ChangeName = keyof typeof changes
