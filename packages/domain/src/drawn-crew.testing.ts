/** Boards with a crew, drawn for the liveness test (crew 4.8). */
import { builtinPresets, type OperationName, permissionNames } from '@specboard/contract'
import fc from 'fast-check'
import type { Caller } from './kernel/context.ts'
import type { Bench, Outcome } from './next-actions/drawn-board.testing.ts'

const flag = fc.boolean()

const settings = fc.record({
  require_spec_validation: flag,
  require_task_validation: flag,
  require_separate_reviewer: flag,
  require_test_task_for_bug: flag,
  skip_test_coverage_global: flag,
  skip_test_evidence_global: flag,
  auto_move: flag,
  small_changes: flag,
  max_attempts: fc.nat({ max: 3 }),
  rework_reserve_minutes: fc.constantFrom(0, 60),
})

/** Everything that an agent may lack; whoever holds cards can read them. */
const lackable = permissionNames.filter(name => name !== 'CARDS_READ')

/** Agents with built-in presets, by name; or with presets of their own, by the permissions that they lack. */
const crew = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...builtinPresets.map(({ name }) => name)), { minLength: 1, maxLength: 6 }),
  },
  { weight: 1, arbitrary: fc.array(fc.subarray(lackable), { minLength: 2, maxLength: 4 }) },
)

/** Something that is created on the board: a record, and how far it is advanced. */
const deed = fc.record({
  kind: fc.constantFrom('ideation', 'refinement', 'spec', 'sprint', 'card', 'card', 'test', 'bug', 'small', 'question'),
  steps: fc.nat({ max: 6 }),
  /** Which of the earlier ones it belongs to. */
  at: fc.nat({ max: 9 }),
  has: flag,
  then: fc.constantFrom('nothing', 'nothing', 'claim', 'expired', 'depend', 'hold', 'assign'),
  /** Which crew member. */
  who: fc.nat({ max: 5 }),
})

/** A board with settings, a crew, and what was done on it before. */
export const drawnCrew = fc.record({ settings, crew, deeds: fc.array(deed, { minLength: 1, maxLength: 12 }) })

type Drawn = typeof drawnCrew extends fc.Arbitrary<infer D> ? D : never
type Deed = Drawn['deeds'][number]

export const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All of it.',
  drift: 0,
  drift_justification: 'As planned.',
  check: { how: 'As it says.', test: 'a test', result: 'passed' },
}

/** A board that was created, and who works on it besides its owner. */
export interface Crew {
  readonly boardId: string
  readonly agents: readonly Caller[]
}

/** Makes a drawn board. What a rule forbids is skipped, so that nothing here repeats the rules. */
export async function made(bench: Bench, { settings, crew, deeds }: Drawn): Promise<Crew> {
  const { id: board_id } = await bench.ok(bench.owner, 'create_board', { name: 'Crew', description: '', settings })
  const agents: Caller[] = []
  for (const [index, one] of crew.entries()) {
    const flags = Array.isArray(one) && { permission_flags: Object.fromEntries(one.map(name => [name, false])) }
    const fields = typeof one === 'string' ? { preset_id: one } : flags
    const body = { name: `${typeof one === 'string' ? one : 'Own'} ${index}`, board_ids: [board_id], ...fields }
    agents.push(await bench.admit((await bench.ok(bench.owner, 'create_agent', body)).api_key))
  }
  const makings = new Makings(bench, board_id, agents)
  for (const deed of deeds) await makings.make(deed)
  return { boardId: board_id, agents }
}

class Makings {
  readonly #bench: Bench
  readonly #board: string
  readonly #agents: readonly Caller[]
  readonly #ids: Record<'ideation' | 'spec' | 'card', string[]> = { ideation: [], spec: [], card: [] }

  constructor(bench: Bench, board: string, agents: readonly Caller[]) {
    this.#bench = bench
    this.#board = board
    this.#agents = agents
  }

  #call(name: OperationName, args: object): Promise<Outcome> {
    return this.#bench.call(this.#bench.owner, name, { ...args })
  }

  async #walk(name: OperationName, args: object, way: readonly object[]): Promise<void> {
    for (const step of way) await this.#call(name, { ...args, ...step })
  }

  #pick(kind: 'ideation' | 'spec' | 'card', at: number): string | undefined {
    const all = this.#ids[kind]
    return all[at % all.length]
  }

  async make(deed: Deed): Promise<void> {
    const { kind } = deed
    if (kind === 'ideation') return this.#ideation(deed)
    if (kind === 'refinement') return this.#refinement(deed)
    if (kind === 'spec') return this.#spec(deed)
    if (kind === 'sprint') return this.#sprint(deed)
    if (kind === 'question') return this.#question(deed)
    return this.#card(deed, kind)
  }

  async #ideation({ steps, has }: Deed): Promise<void> {
    const complexity = has ? 'large' : null
    const { body } = await this.#call('create_ideation', { board_id: this.#board, title: 'Idea', complexity })
    this.#ids.ideation.push(body.id)
    const way = ['review', 'approved', 'evaluating', 'done'].map(status => ({ status }))
    await this.#walk('move_ideation', { ideation_id: body.id }, way.slice(0, steps))
  }

  async #refinement({ steps, at, has }: Deed): Promise<void> {
    const ideation_id = this.#pick('ideation', at)
    if (ideation_id === undefined) return
    const { body } = await this.#call('create_refinement', {
      ideation_id,
      title: 'Story',
      in_scope: has ? ['All'] : null,
    })
    if (body === undefined) return
    const way = ['review', 'approved', 'done'].map(status => ({ status }))
    await this.#walk('move_refinement', { refinement_id: body.id }, way.slice(0, steps))
  }

  async #spec({ steps, has, at }: Deed): Promise<void> {
    const named = has ? ['It survives'] : []
    const { body } = await this.#call('create_spec', {
      board_id: this.#board,
      title: 'Spec',
      functional_requirements: ['Sessions survive'],
      acceptance_criteria: ['It survives'],
      test_scenarios: [{ id: 's0', title: 'Works', linked_criteria: named }],
      business_rules: at % 2 === 0 ? [] : [{ id: 'r0', title: 'Rule', rule: 'Always', when: 'Ever', then: 'So' }],
    })
    const spec_id = body.id
    this.#ids.spec.push(spec_id)
    const way = ['review', 'approved', 'validated', 'in_progress'].map(status => ({ status }))
    await this.#walk('move_spec', { spec_id }, way.slice(0, 2))
    if (steps < 2) return
    if (steps > 3) await this.#call('update_spec', { spec_id, skip_test_coverage: true, skip_rules_coverage: true })
    await this.#walk('move_spec', { spec_id }, way.slice(2, steps))
  }

  async #sprint({ steps, at, has }: Deed): Promise<void> {
    const spec_id = this.#pick('spec', at)
    if (spec_id === undefined) return
    const { body } = await this.#call('create_sprint', { board_id: this.#board, spec_id, title: 'Sprint' })
    if (body === undefined) return
    const sprint_id = body.id
    if (has)
      for (const card_id of this.#ids.card) await this.#call('assign_sprint_tasks', { sprint_id, card_ids: [card_id] })
    await this.#walk('move_sprint', { sprint_id }, [{ status: 'active' }, { status: 'review' }].slice(0, steps))
  }

  async #card(deed: Deed, kind: 'card' | 'test' | 'bug' | 'small'): Promise<void> {
    const { steps, at, who } = deed
    const spec_id = this.#pick('spec', at)
    if (spec_id === undefined && kind !== 'small') return
    const { body } = await this.#call('create_card', {
      board_id: this.#board,
      title: 'Card',
      ...(kind !== 'small' && { spec_id }),
      ...(kind === 'test' && { card_type: 'test', test_scenario_ids: ['s0'] }),
      ...(kind === 'bug' && { card_type: 'bug', expected_behavior: 'a', observed_behavior: 'b' }),
    })
    if (body === undefined) return
    const card_id = body.id
    if (deed.then === 'depend' && this.#ids.card.length > 0)
      await this.#call('add_card_dependency', { card_id, depends_on_id: this.#pick('card', at) })
    if (deed.then === 'assign') await this.#call('update_card', { card_id, assignee_id: this.#worker(who).id })
    this.#ids.card.push(card_id)
    await this.#work(card_id, deed)
    const way = [
      { target_status: 'started' },
      { target_status: 'in_progress' },
      { target_status: 'validation', ...report },
    ]
    if (steps < 4)
      for (const step of way.slice(0, steps))
        await this.#bench.call(this.#worker(who), 'move_card', { card_id, ...step })
    if (deed.then === 'hold') await this.#call('move_card', { card_id, target_status: 'on_hold' })
  }

  #worker(who: number): Caller {
    return this.#agents[who % this.#agents.length]!
  }

  async #work(card_id: string, { then, who }: Deed): Promise<void> {
    if (then !== 'claim' && then !== 'expired') return
    await this.#bench.call(this.#worker(who), 'claim_card', { card_id, lease_seconds: 60 })
    if (then === 'expired') this.#bench.now += 61_000
  }

  async #question({ at, who, has }: Deed): Promise<void> {
    const record = this.#pick(has ? 'card' : 'spec', at)
    if (record === undefined) return
    await this.#bench.call(this.#worker(who), 'ask_question', { record, question: 'Why?' })
  }
}
