import { permissionNames } from '@specboard/contract'
import type { TestAgent, World } from './world.ts'

/** Flags of an agent that may do nothing. */
const nothing = Object.fromEntries(permissionNames.map(name => [name, false]))

/**
 * Creates records to call operations on, new ones each time, as the owner of a board. `admit` lets another agent
 * onto the board with an admin share.
 */
export class Scene {
  readonly world: World
  readonly boardId: string

  private constructor(world: World, boardId: string) {
    this.world = world
    this.boardId = boardId
  }

  /** A scene on a board of its own. */
  static async on(world: World): Promise<Scene> {
    return new Scene(world, (await world.ok('create_board', { name: 'Scene', description: '' })).id)
  }

  /** A scene on an existing board. */
  static of(world: World, boardId: string): Scene {
    return new Scene(world, boardId)
  }

  /** A scene on a board of its own, whose records wait outside the knowledge graph until the scene waits for them. */
  static async outOfGraph(world: World): Promise<Scene> {
    const scene = await Scene.on(world)
    await world.ok('put_board_kg_settings', { board_id: scene.boardId, consolidation_enabled: false })
    return scene
  }

  /** A scene on the same board, which another server serves. */
  servedBy(world: World): Scene {
    return new Scene(world, this.boardId)
  }

  /** The key of the board, as it appears in the addresses of pages. */
  async boardKey(): Promise<string> {
    return (await this.world.ok('get_board', { board_id: this.boardId })).key
  }

  /** Lets an agent onto the board with an admin share. */
  async admit(agent: Pick<TestAgent, 'id'>): Promise<void> {
    await this.world.ok('create_board_share', { board_id: this.boardId, user_id: agent.id, permission: 'admin' })
  }

  /** A new agent without any permission, managed by the agent that makes it. */
  async managedBy(maker: TestAgent): Promise<TestAgent> {
    return this.world.agent({ permission_flags: nothing }, maker)
  }

  /** A new preset that allows nothing, owned by an agent that the owner manages. */
  async preset(owner: TestAgent = this.world.owner): Promise<string> {
    const { id } = await this.world.ok('create_preset', { name: 'Nothing' }, { as: owner })
    return id
  }

  /** A new ideation, moved to a status. */
  async ideation(
    status: 'draft' | 'review' | 'approved' | 'evaluating' | 'done' = 'draft',
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { id } = await this.world.ok('create_ideation', { board_id: this.boardId, title: 'Idea', ...fields })
    const way = ['draft', 'review', 'approved', 'evaluating', 'done']
    for (const step of way.slice(1, way.indexOf(status) + 1))
      await this.world.ok('move_ideation', { ideation_id: id, status: step })
    return id
  }

  /** A new refinement of a new ideation, moved to a status. */
  async refinement(
    status: 'draft' | 'review' | 'approved' | 'done' = 'draft',
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { id } = await this.world.ok('create_refinement', {
      ideation_id: await this.ideation('done'),
      title: 'Story',
      in_scope: ['Everything'],
      ...fields,
    })
    const way = ['draft', 'review', 'approved', 'done']
    for (const step of way.slice(1, way.indexOf(status) + 1))
      await this.world.ok('move_refinement', { refinement_id: id, status: step })
    return id
  }

  /** A new spec, created in a status, so that no gate runs. */
  async spec(
    status: 'draft' | 'review' | 'approved' | 'validated' | 'in_progress' | 'done' | 'cancelled' = 'draft',
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    return (await this.world.ok('create_spec', { board_id: this.boardId, title: 'Spec', status, ...fields })).id
  }

  /** A new card, on a new approved spec unless `fields` names one. */
  async card(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const spec_id = fields.spec_id ?? (await this.spec('approved'))
    const imported = ['validation', 'done'].includes(String(fields.status))
    const past = imported ? { imported } : {}
    return (await this.world.ok('create_card', { board_id: this.boardId, title: 'Card', ...past, ...fields, spec_id }))
      .id
  }

  /** A new card of the standing spec. */
  async smallChange(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return (await this.world.ok('create_card', { board_id: this.boardId, title: 'Fix a typo', ...fields })).id
  }

  /** A new card that can be worked on, on a new spec in progress. */
  async workableCard(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return this.card({ ...fields, spec_id: await this.spec('in_progress') })
  }

  /** A new spec with the scenarios `s1`, `s2`, …, created in a status. */
  async specWithScenarios(
    count = 1,
    status: Parameters<Scene['spec']>[0] = 'in_progress',
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const test_scenarios = Array.from({ length: count }, (_, index) => ({ id: `s${index + 1}`, title: 'Works' }))
    return this.spec(status, { test_scenarios, ...fields })
  }

  /** A new test card of scenario `s1`, on a new spec in progress unless `fields` names one. */
  async testCard(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const spec_id = fields.spec_id ?? (await this.specWithScenarios())
    return this.card({ card_type: 'test', test_scenario_ids: ['s1'], ...fields, spec_id })
  }

  /** A new minor bug that originates in a new card of a new spec in progress, unless `fields` names a card. */
  async bug(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const origin_task_id = fields.origin_task_id ?? (await this.card({ spec_id: await this.specWithScenarios() }))
    const described = { severity: 'minor', expected_behavior: 'Works', observed_behavior: 'Fails' }
    return this.card({ card_type: 'bug', ...described, ...fields, origin_task_id, spec_id: 'overruled' })
  }

  /** A new sprint with a new card, on a new approved spec unless `fields` names one, moved to a status. */
  async sprint(
    status: 'draft' | 'active' | 'review' | 'closed' | 'cancelled' = 'draft',
    { spec_id: existing, ...fields }: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<'sprint_id' | 'spec_id' | 'card_id', string>>> {
    const spec_id = typeof existing === 'string' ? existing : await this.spec('approved')
    const card_id = await this.card({ spec_id })
    const create = { board_id: this.boardId, spec_id, title: 'Sprint', card_ids: [card_id], ...fields }
    const sprint_id = (await this.world.ok('create_sprint', create)).id
    const way = status === 'cancelled' ? ['cancelled'] : ['active', 'review', 'closed']
    for (const step of way.slice(0, way.indexOf(status) + 1)) {
      if (step === 'closed')
        await this.world.ok('submit_sprint_evaluation', { sprint_id, overall_score: 90, recommendation: 'approve' })
      await this.world.ok('move_sprint', { sprint_id, status: step })
    }
    return { sprint_id, spec_id, card_id }
  }

  /** A new question on a card. */
  async cardQuestion(cardId?: string): Promise<string> {
    const card_id = cardId ?? (await this.card())
    return (await this.world.ok('ask_card_question', { card_id, question: 'Why?' })).id
  }

  /** A new file on a card; returns the arguments that name it. */
  async attachment(
    cardId?: string,
    file = new File(['bytes'], 'notes.txt', { type: 'text/plain' }),
  ): Promise<Readonly<Record<'board_id' | 'card_id' | 'attachment_id', string>>> {
    const on = { board_id: this.boardId, card_id: cardId ?? (await this.card()) }
    return { ...on, attachment_id: (await this.world.ok('upload_attachment', { ...on, file })).id }
  }

  /** A new text question on a new record of a kind; returns the arguments that name both. */
  async question<Kind extends 'ideation' | 'refinement' | 'spec'>(
    kind: Kind,
  ): Promise<Readonly<Record<`${Kind}_id` | 'qa_id', string>>> {
    const parent = { [`${kind}_id`]: await this[kind]() } as Record<`${Kind}_id`, string>
    const { id } = await this.world.ok(`ask_${kind}_question`, { ...parent, question: 'Why?' })
    return { ...parent, qa_id: id }
  }

  /** A new knowledge item on a new record of a kind; returns the arguments that name both. */
  async knowledge(kind: 'refinement' | 'spec'): Promise<Record<string, string>> {
    const parent = { [`${kind}_id`]: await this[kind]() }
    const fields = { ...parent, title: 'Notes', content: 'What we know.' }
    return { ...parent, knowledge_id: (await this.world.ok(`create_${kind}_knowledge`, fields)).id }
  }

  /** Waits until every queued record of the board is in the knowledge graph. */
  async consolidated(): Promise<void> {
    if (!this.world.makesGraph)
      throw new Error('Start the world with `graphAtWork`: this one makes no knowledge graph.')
    const { boardId: board_id } = this
    await this.world.ok('put_board_kg_settings', { board_id, consolidation_enabled: true })
    while ((await this.world.ok('list_kg_pending', { board_id, limit: 1 })).count > 0);
  }

  /** A new spec in the knowledge graph, and a function that finds the nodes of its parts. */
  async specInGraph(fields: Readonly<Record<string, unknown>> = {}): Promise<{
    readonly spec_id: string
    /** The id of the node that a reference after `spec:<id>:` names, such as `decision:d1`. */
    readonly node: (part: string) => Promise<string>
  }> {
    const spec_id = await this.spec('draft', {
      functional_requirements: ['Sessions survive a restart'],
      decisions: [{ id: 'd1', title: 'Keep sessions in Redis', rationale: 'It is there' }],
      ...fields,
    })
    await this.consolidated()
    const node = async (part: string) => {
      const center = part === '' ? `spec:${spec_id}` : `spec:${spec_id}:${part}`
      return (await this.world.ok('get_kg_graph', { board_id: this.boardId, center, limit: 1 })).nodes[0].id
    }
    return { spec_id, node }
  }
}
