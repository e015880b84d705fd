import { rm } from 'node:fs/promises'
import {
  builtinPresets,
  CardStatus,
  IdeationStatus,
  type OperationName,
  operationByName,
  parseInput,
  RefinementStatus,
  SpecStatus,
  SprintStatus,
} from '@specboard/contract'
import fc from 'fast-check'
import type { Caller } from '../kernel/context.ts'
import { DomainError } from '../kernel/errors.ts'
import { type OpenedService, openService } from '../open.ts'
import { migratedFolder } from '../schema/empty-database.testing.ts'
import { kinds, type MovedKind } from './kinds.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The answer of a call: its body, or the refusal. */
export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations
  readonly body?: any
  readonly refusal?: DomainError
}

/** A service in a folder of its own, called without a socket, with a clock that the test sets. */
export class Bench {
  now = Date.parse('2030-01-01T00:00:00.000Z')
  readonly #folder: string
  #opened!: OpenedService
  owner!: Caller
  /** An agent of each built-in preset. */
  readonly crew: Caller[] = []

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async start(): Promise<Bench> {
    const bench = new Bench(await migratedFolder('specboard-moves-'))
    bench.#opened = await openService({
      folder: bench.#folder,
      version: '1',
      workers: false,
      clock: () => bench.now,
    })
    const { service, ownerKey } = bench.#opened
    bench.owner = await service.authenticate(ownerKey)
    const presets = await bench.ok(bench.owner, 'list_presets')
    for (const { name } of builtinPresets) {
      const { id: preset_id } = presets.find((preset: { name: string }) => preset.name === name)
      const { api_key } = await bench.ok(bench.owner, 'create_agent', { name, preset_id })
      bench.crew.push(await service.authenticate(api_key))
    }
    return bench
  }

  /** The caller with a key. */
  admit(key: string): Promise<Caller> {
    return this.#opened.service.authenticate(key)
  }

  async stop(): Promise<void> {
    await this.#opened.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Calls an operation; its schemas decide which argument goes into path, query and body. */
  async call(caller: Caller, name: OperationName, args: Arguments = {}): Promise<Outcome> {
    const operation = operationByName.get(name)!
    const of = (shape: object) => Object.fromEntries(Object.entries(args).filter(([key]) => key in shape))
    const rest = Object.entries(args).filter(([key]) => !(key in operation.params) && !(key in operation.query))
    const parsed = parseInput(operation, {
      params: of(operation.params),
      query: of(operation.query),
      body: operation.body === undefined ? undefined : Object.fromEntries(rest),
    })
    if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.items)}`)
    try {
      return { body: (await this.#opened.service.perform({ operation, input: parsed.input, caller })).body }
    } catch (refusal) {
      if (refusal instanceof DomainError) return { refusal }
      throw refusal
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations
  async ok(caller: Caller, name: OperationName, args: Arguments = {}): Promise<any> {
    const { body, refusal } = await this.call(caller, name, args)
    if (refusal !== undefined) throw new Error(`${name}: ${JSON.stringify(refusal.detail)}`)
    return body
  }
}

const flag = fc.boolean()

/** The fields of a drawn spec that its gates read. */
const spec = fc.record({
  status: fc.constantFrom(...SpecStatus.options),
  functional_requirements: fc.subarray(['Sessions survive', 'Baskets merge']),
  acceptance_criteria: fc.subarray(['It survives']),
  scenarios: fc.array(fc.record({ status: fc.constantFrom('draft', 'ready', 'passed'), named: flag }), {
    maxLength: 2,
  }),
  rules: fc.array(fc.record({ named: flag, linked: flag }), { maxLength: 1 }),
  flags: fc.record({ skip_test_coverage: flag, skip_rules_coverage: flag, skip_qualitative_validation: flag }),
  archived: fc.integer({ min: 0, max: 9 }).map(one => one === 0),
})

const card = fc.record({
  spec: fc.nat({ max: 1 }),
  type: fc.constantFrom('normal', 'normal', 'test', 'bug'),
  status: fc.constantFrom(...CardStatus.options),
  waits: fc.subarray([0, 1, 2]),
  claimed: fc.option(fc.nat({ max: 6 }), { nil: null }),
})

const settings = fc.record({
  require_spec_validation: flag,
  require_task_validation: flag,
  require_separate_reviewer: flag,
  require_test_task_for_bug: flag,
  skip_test_coverage_global: flag,
  skip_test_evidence_global: flag,
})

/** A board with records of all kinds, in any status in which they can be created. */
export const board = fc.record({
  settings,
  ideations: fc.array(fc.record({ steps: fc.nat({ max: 4 }), complexity: fc.constantFrom(null, 'small', 'large') }), {
    minLength: 1,
    maxLength: 2,
  }),
  refinements: fc.array(fc.record({ steps: fc.nat({ max: 3 }), scoped: flag }), { minLength: 1, maxLength: 2 }),
  specs: fc.array(spec, { minLength: 2, maxLength: 2 }),
  sprints: fc.array(fc.record({ steps: fc.nat({ max: 2 }), filled: flag }), { maxLength: 2 }),
  cards: fc.array(card, { minLength: 1, maxLength: 4 }),
})

/** The ids of a board's records, by kind. */
export type Records = Readonly<Record<MovedKind, readonly string[]>>

/** Makes a drawn board. What a rule forbids is skipped, so that nothing here repeats the rules. */
export async function makeBoard(bench: Bench, plan: typeof board extends fc.Arbitrary<infer B> ? B : never) {
  const { owner, crew } = bench
  const { id: board_id } = await bench.ok(owner, 'create_board', {
    name: 'Drawn',
    description: '',
    settings: plan.settings,
  })
  for (const { id: agent_id } of crew) await bench.ok(owner, 'grant_board_access', { agent_id, board_id })
  const records: Record<MovedKind, string[]> = { ideation: [], refinement: [], spec: [], sprint: [], card: [] }
  const walk = async (name: OperationName, args: Arguments, way: readonly string[]) => {
    for (const status of way) await bench.call(owner, name, { ...args, status })
  }

  for (const { steps, complexity } of plan.ideations) {
    const { id } = await bench.ok(owner, 'create_ideation', { board_id, title: 'Idea', complexity })
    await walk('move_ideation', { ideation_id: id }, ['review', 'approved', 'evaluating', 'done'].slice(0, steps))
    records.ideation.push(id)
  }
  const { id: ideation_id } = await bench.ok(owner, 'create_ideation', { board_id, title: 'Done' })
  await walk('move_ideation', { ideation_id }, ['review', 'approved', 'evaluating', 'done'])
  for (const { steps, scoped } of plan.refinements) {
    const in_scope = scoped ? ['All'] : null
    const { id } = await bench.ok(owner, 'create_refinement', { ideation_id, title: 'Story', in_scope })
    await walk('move_refinement', { refinement_id: id }, ['review', 'approved', 'done'].slice(0, steps))
    records.refinement.push(id)
  }
  for (const { scenarios, rules, archived, flags, ...fields } of plan.specs) {
    const has = (list: readonly string[], named: boolean) => (named && list.length > 0 ? ['0'] : [])
    const { id } = await bench.ok(owner, 'create_spec', {
      board_id,
      title: 'Spec',
      ...fields,
      test_scenarios: scenarios.map(({ status, named }, index) => ({
        id: `s${index}`,
        title: 'Works',
        status,
        linked_criteria: has(fields.acceptance_criteria, named),
        evidence: { last_run_at: '2030-01-01T00:00:00Z', test_run_id: 'run' },
      })),
      business_rules: rules.map(({ named }, index) => ({
        id: `r${index}`,
        title: 'Rule',
        rule: 'Always',
        when: 'Ever',
        then: 'So',
        linked_requirements: has(fields.functional_requirements, named),
      })),
    })
    await bench.ok(owner, 'update_spec', { spec_id: id, ...flags })
    records.spec.push(id)
  }
  for (const { spec: at, type, status, waits, claimed } of plan.cards) {
    const test_scenario_ids = type === 'test' ? ['s0'] : []
    const bug = {
      origin_task_id: records.card[0] ?? 'none',
      severity: 'minor',
      expected_behavior: 'a',
      observed_behavior: 'b',
    }
    const fields = {
      board_id,
      spec_id: records.spec[at],
      title: 'Card',
      card_type: type,
      test_scenario_ids,
      ...(type === 'bug' && bug),
    }
    const first = await bench.call(owner, 'create_card', { ...fields, status })
    const { body } = first.refusal === undefined ? first : await bench.call(owner, 'create_card', fields)
    if (body === undefined) continue
    for (const earlier of waits.flatMap(index => records.card[index] ?? []))
      await bench.call(owner, 'add_card_dependency', { card_id: body.id, depends_on_id: earlier })
    if (claimed !== null) await bench.call(crew[claimed % crew.length]!, 'claim_card', { card_id: body.id })
    records.card.push(body.id)
  }
  for (const [index, { rules }] of plan.specs.entries())
    for (const card_id of rules.some(({ linked }) => linked) ? records.card : [])
      await bench.call(owner, 'link_task_to_item', { spec_id: records.spec[index], item_id: 'r0', card_id })
  for (const { steps, filled } of plan.sprints) {
    const { body } = await bench.call(owner, 'create_sprint', { board_id, spec_id: records.spec[0], title: 'Sprint' })
    if (body === undefined) continue
    if (filled)
      for (const card_id of records.card)
        await bench.call(owner, 'assign_sprint_tasks', { sprint_id: body.id, card_ids: [card_id] })
    await walk('move_sprint', { sprint_id: body.id }, ['active', 'review'].slice(0, steps))
    records.sprint.push(body.id)
  }
  for (const [index, { archived }] of plan.specs.entries())
    if (archived)
      await bench.ok(owner, 'archive_record', { board_id, entity_type: 'spec', entity_id: records.spec[index] })
  return records satisfies Records
}

const statuses = {
  ideation: IdeationStatus.options,
  refinement: RefinementStatus.options,
  spec: SpecStatus.options,
  sprint: SprintStatus.options,
  card: CardStatus.options,
} as const

/** A call on one of a board's records: a move to a status, or one of the operations that depend on it. */
export const step = fc
  .constantFrom<MovedKind>('ideation', 'refinement', 'spec', 'sprint', 'card', 'spec', 'card')
  .chain(kind =>
    fc.record({
      kind: fc.constant(kind),
      which: fc.nat({ max: 9 }),
      actor: fc.option(fc.nat({ max: 9 }), { nil: null, freq: 2 }),
      act: fc.oneof(
        fc.record({ to: fc.constantFrom<string>(...statuses[kind]) }),
        fc.record({ operation: fc.constantFrom(...kinds[kind].operations) }),
      ),
    }),
  )
