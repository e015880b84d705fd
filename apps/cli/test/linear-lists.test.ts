/** Work on several lists that callers send grows with their sum: none is searched for each element of another one (walls 3). */
import { readFileSync } from 'node:fs'
import { registry } from '@specboard/contract'
import { Connection } from '@specboard/storage'
import { describeOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { maxJsonParts } from '../../../packages/contract/src/json-parts.ts'
import { testTasksMissing } from '../../../packages/domain/src/delivery/cards/gates/bug-tests.ts'
import { mergedEntries } from '../../../packages/domain/src/delivery/cards/knowledge/entries.ts'
import { scenariosOfSpec } from '../../../packages/domain/src/delivery/cards/references.ts'
import { agreedLinks } from '../../../packages/domain/src/exchange/import/agreed-links.ts'
import { extract } from '../../../packages/domain/src/graph/extraction/extract.ts'
import { coverageSummary } from '../../../packages/domain/src/insight/analytics/coverage.ts'
import { criteriaOf, uncovered } from '../../../packages/domain/src/insight/discovery/references.ts'
import { refuseProduct } from '../../../packages/domain/src/kernel/product-cost.ts'
import { copiedDiagrams } from '../../../packages/domain/src/planning/architecture/copy.ts'
import { replacedDiagrams } from '../../../packages/domain/src/planning/architecture/write.ts'
import { coverageRefusal } from '../../../packages/domain/src/planning/specs/coverage.ts'
import { followTexts } from '../../../packages/domain/src/planning/specs/followed-references.ts'
import {
  checkScenarioLimit,
  idsAfter,
  linkedTo,
  scenariosByCard,
  unlinkedFrom,
  withoutCard,
} from '../../../packages/domain/src/planning/specs/link-rules.ts'
import { fieldsAgainstLock } from '../../../packages/domain/src/planning/specs/locked-fields.ts'
import { referenceOffenders } from '../../../packages/domain/src/planning/specs/references.ts'
import { checkedScope, scopedRefusal, withoutEvidence } from '../../../packages/domain/src/planning/sprints/rules.ts'
import { suggestSprints } from '../../../packages/domain/src/planning/sprints/suggest.ts'
import { countedReads } from './support/counted-reads.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

/** How many elements each list has. */
const size = 150

/** How often linear work may read each element. */
const readings = 12

const named = (prefix: string): string[] => Array.from({ length: size }, (_, at) => `${prefix}${at}`)

const [cards, scenarios, texts] = [named('c'), named('s'), named('text ')]
const backwards = <Item>(list: readonly Item[]): Item[] => list.toReversed()

/** A spec whose items all name all texts, and all cards. */
const spec = () => ({
  id: 's',
  functional_requirements: texts,
  acceptance_criteria: texts,
  technical_requirements: named('t').map(id => ({ id, text: 'T', linked_task_ids: cards })),
  test_scenarios: scenarios.map(id => ({
    id,
    title: id,
    status: 'passed',
    linked_criteria: texts,
    linked_task_ids: cards,
  })),
  business_rules: named('r').map(id => ({ id, title: id, linked_requirements: texts, linked_task_ids: cards })),
  api_contracts: named('a').map(id => ({
    id,
    linked_requirements: texts,
    linked_rules: named('r'),
    linked_task_ids: cards,
  })),
  decisions: named('d').map(id => ({
    id,
    title: id,
    status: 'active',
    supersedes_decision_id: null,
    linked_requirements: texts,
    linked_task_ids: cards,
  })),
  screen_mockups: null,
})

/** Work that only reads lists: its input, whose other fields do not matter, and the function that does it. */
const worked = <Input>(input: Input, work: (input: never) => unknown) => ({
  input,
  work: work as (input: unknown) => unknown,
})

const diagramsOf = ({ diagrams }: { readonly diagrams: never[] }) => diagrams

const works: Readonly<Record<string, ReturnType<typeof worked>>> = {
  'references that follow texts put in another order': worked(
    {
      spec: {
        ...spec(),
        business_rules: spec().business_rules.map(rule => ({ ...rule, linked_requirements: named('') })),
      },
      now: backwards(texts),
    },
    ({ spec, now }: { spec: never; now: string[] }) => followTexts(spec, { functional_requirements: now }),
  ),
  'references that name nothing': worked(spec(), (it: never) => referenceOffenders(it, () => false)),
  'links on a locked spec': worked(
    {
      old: spec().test_scenarios,
      new: spec().test_scenarios.map(item => ({ ...item, linked_task_ids: backwards(cards) })),
    },
    (change: { old: unknown; new: unknown }) => fieldsAgainstLock([{ field: 'test_scenarios', ...change }]),
  ),
  'a card on many scenarios': worked(
    { spec: spec(), ids: scenarios },
    ({ spec, ids }: { spec: never; ids: string[] }) => [
      linkedTo(spec, 'new', ids),
      unlinkedFrom(spec, 'c1', ids),
      withoutCard(spec, 'c1'),
      scenariosByCard(spec),
    ],
  ),
  'the limit of scenarios, lowered since': worked(
    { before: scenarios, after: backwards(scenarios) },
    ({ before, after }: { before: string[]; after: string[] }) => [
      checkScenarioLimit('c', before, after, 1),
      idsAfter(before, after),
    ],
  ),
  'the scope of a sprint': worked({ spec: spec(), ids: scenarios }, ({ spec, ids }: { spec: never; ids: string[] }) => [
    checkedScope({ test_scenario_ids: ids }, spec),
    scopedRefusal(ids, (spec as { test_scenarios: never }).test_scenarios),
  ]),
  'the evidence of the test cards of a sprint': worked(
    {
      spec: spec(),
      cards: cards.map(id => ({ id, card_type: 'test', archived: false, test_scenario_ids: scenarios })),
    },
    ({ spec, cards }: { spec: { test_scenarios: never }; cards: never }) => withoutEvidence(cards, spec.test_scenarios),
  ),
  'suggested sprints': worked(
    { spec: spec(), cards: cards.map(id => ({ id, title: id, test_scenario_ids: scenarios, depends_on: [] })) },
    ({ spec, cards }: { spec: never; cards: never }) => suggestSprints(cards, spec, 100),
  ),
  'scenarios of a card': worked(
    { spec: spec(), ids: backwards(scenarios) },
    ({ spec, ids }: { spec: never; ids: string[] }) => scenariosOfSpec(spec, ids),
  ),
  'knowledge of a card': worked(
    {
      sent: cards.map(id => ({ id, title: 'T', content: 'C' })),
      stored: backwards(cards).map((id, at) => ({ id, ref: `SHO-1.k${at + 1}`, title: 'T', content: 'C' })),
    },
    ({ sent, stored }: { sent: never; stored: never }) =>
      mergedEntries(sent, stored, { id: 'a', now: '', newId: () => '' }),
  ),
  'test tasks of a bug': worked(
    {
      bug: { linked_test_task_ids: backwards(cards) },
      tasks: cards.map(id => ({ id, card_type: 'test', test_scenario_ids: scenarios })),
    },
    ({ bug, tasks }: { bug: never; tasks: never }) => testTasksMissing(bug, tasks, new Set(scenarios)),
  ),
  'the coverage gates': worked({ spec: spec(), settings: {} }, ({ spec, settings }: { spec: never; settings: never }) =>
    coverageRefusal(spec, settings, new Map()),
  ),
  'the figures of coverage': worked(spec(), (it: never) => coverageSummary(it, new Set())),
  'criteria that no scenario names': worked(
    { texts, entries: named('text ').map(text => `${text}, more`) },
    ({ texts, entries }: { texts: string[]; entries: string[] }) =>
      uncovered(texts, [...entries, ...entries], criteriaOf),
  ),
  'diagrams of a copied design': worked(
    {
      before: { diagrams: cards.map(id => ({ id, content_hash: 'a', adapter_payload_ref: id })) },
      after: { diagrams: backwards(cards).map(id => ({ id, content_hash: 'b', adapter_payload_ref: id })) },
    },
    ({ before, after }: Readonly<Record<'before' | 'after', never>>) => [
      copiedDiagrams(diagramsOf(before), new Map(), diagramsOf(after), () => ''),
      replacedDiagrams(before, after),
    ],
  ),
  'links of an imported spec and its cards': worked(
    { spec: spec(), cards: cards.map(id => ({ id: `other ${id}`, test_scenario_ids: scenarios })) },
    ({ spec, cards }: { spec: never; cards: never }) => agreedLinks(spec, cards),
  ),
  'the graph of a bug': worked(
    {
      id: 'b',
      type: 'card',
      card_type: 'bug',
      title: 'B',
      status: 'done',
      archived: false,
      description: null,
      details: null,
      priority: 'none',
      severity: null,
      action_plan: null,
      spec_id: 's',
      sprint_id: null,
      conclusion: null,
      validation: null,
      dependencies: [],
      designs: [],
      origin: { id: 'c1', card_type: 'normal' },
      test_tasks: cards.map(id => ({ id, card_type: 'test', spec_id: 's', test_scenario_ids: scenarios })),
      specs: [spec()],
    },
    (bug: never) => extract(bug),
  ),
}

describe('lists are not searched for each element of another one (walls 3, rule 4)', () => {
  test.each(Object.entries(works))('%s', (_, { input, work }) => {
    const { value, elements, reads } = countedReads(input)
    work(value)
    expect(reads() / elements).toBeLessThan(readings)
  })

  test('reads of a product are found', () => {
    const { value, elements, reads } = countedReads({ ids: backwards(cards), items: cards })
    value.ids.filter(id => value.items.includes(id))
    expect(reads() / elements).toBeGreaterThan(readings)
  })
})

describe('where two lists of a call could be worked on as a product', () => {
  /** Maximum number of steps of a product (walls 3, rule 4). */
  const maxSteps = 1_000_000

  /** Elements that free JSON may have in all. */
  const freeElements = 20_000

  interface List {
    readonly path: string
    /** Elements of all lists at this path together. */
    readonly max: number
  }

  const inner = (schema: z.core.$ZodType): z.core.$ZodType =>
    'innerType' in schema._zod.def ? inner(schema._zod.def.innerType as z.core.$ZodType) : schema

  const maxOf = ({ def }: z.ZodArray): number =>
    Math.min(
      freeElements,
      ...(def.checks ?? []).map(({ _zod }) => ('maximum' in _zod.def ? Number(_zod.def.maximum) : freeElements)),
    )

  /** The lists of a body, each with the elements that  wherever it stands. */
  function listsOf(within: z.core.$ZodType, path: string, times: number): List[] {
    const schema = inner(within)
    const max = (each: number) => Math.min(maxJsonParts, times * each)
    if (schema instanceof z.ZodArray)
      return [{ path, max: max(maxOf(schema)) }, ...listsOf(schema.element, path, max(maxOf(schema)))]
    if (schema instanceof z.ZodObject)
      return Object.entries(schema.shape).flatMap(([name, field]) =>
        listsOf(field, path === '' ? name : `${path}.${name}`, times),
      )
    if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => listsOf(option, path, times))
    if (schema instanceof z.ZodRecord) return [{ path, max: max(freeElements) }]
    return []
  }

  /** Nothing is looked for in these: they are stored and answered as they are. */
  const stored = 'stored as it is'
  /** Each member is looked up by its name. */
  const names = 'names'

  /**
   * The lists that may be so long that their product with a list of 500 takes too many steps, each with what shows that
   * nothing is searched for each of its elements.
   */
  const linear: Readonly<Record<string, string>> = {
    'api_contracts.linked_requirements': 'references that name nothing',
    'api_contracts.linked_rules': 'references that name nothing',
    'api_contracts.linked_task_ids': 'a card on many scenarios',
    'api_contracts.request_body': stored,
    'api_contracts.response_errors': stored,
    'api_contracts.response_success': stored,
    'business_rules.linked_requirements': 'references that follow texts put in another order',
    'business_rules.linked_task_ids': 'suggested sprints',
    'test_scenarios.tests': stored,
    content: stored,
    'commits.parents': names,
    'commits.paths': stored,
    data: stored,
    'decisions.alternatives_considered': stored,
    'decisions.linked_requirements': 'references that name nothing',
    'decisions.linked_task_ids': 'a card on many scenarios',
    diagrams: 'a design of faulty elements',
    'diagrams.adapter_payload': 'a design of faulty elements',
    'diagrams.render_metadata': stored,
    entities: 'a design of faulty elements',
    'entities.relationships': 'a design of faulty elements',
    'entities.technologies': 'a design of faulty elements',
    flags: names,
    interfaces: 'a design of faulty elements',
    'interfaces.error_contract': stored,
    'interfaces.event_schema': stored,
    'interfaces.participants': 'a design of faulty elements',
    'interfaces.request_schema': stored,
    'interfaces.response_schema': stored,
    params: names,
    payload: 'a design of faulty elements',
    permission_flags: names,
    permission_overrides: names,
    scope_assessment: stored,
    'screen_mockups.annotations': stored,
    'settings.column_limits': stored,
    'technical_requirements.linked_task_ids': 'a card on many scenarios',
    'test_scenarios.linked_criteria': 'criteria that no scenario names',
    'test_scenarios.linked_task_ids': 'links on a locked spec',
  }

  const shortEnough = 500

  test('names works that there are', () => {
    const readers = readFileSync(new URL('linear-readers.test.ts', import.meta.url), 'utf8')
    for (const work of new Set(Object.values(linear)))
      expect([stored, names].includes(work) || Object.hasOwn(works, work) || readers.includes(`'${work}'`), work).toBe(
        true,
      )
  })

  test('is told of each list that may be so long', () => {
    const long = registry
      .flatMap(({ body }) => (body === undefined ? [] : listsOf(body, '', 1)))
      .filter(({ max }) => max * shortEnough > maxSteps)
    expect([...new Set(long.map(({ path }) => path))].toSorted()).toEqual(Object.keys(linear).toSorted())
  })

  test('the other lists of a call have no product beyond the bound', () => {
    for (const { name, body } of registry) {
      const lists = body === undefined ? [] : listsOf(body, '', 1).filter(({ path }) => !Object.hasOwn(linear, path))
      const [first = 0, second = 0] = lists.map(({ max }) => max).toSorted((a, b) => b - a)
      expect(first * second, name).toBeLessThanOrEqual(maxSteps)
    }
  })

  test('a product beyond the bound is refused with what to do', () => {
    expect(() => refuseProduct(['query', 'threshold'], [1_000, 1_001], 'Split the spec.')).toThrow(
      'This would take 1000 × 1001 steps, and at most 1000000 are allowed. Split the spec.',
    )
    expect(() => refuseProduct(['query', 'threshold'], [1_000, 1_000], '')).not.toThrow()
  })
})

describeOnSqlite('the links of a spec, by the statements that they cost (walls 3, rule 4)', () => {
  let world: World
  let scene: Scene

  beforeAll(async () => {
    world = await World.start()
    scene = await Scene.on(world)
  })

  afterAll(() => world.stop())

  /** How many statements the service runs until a call is answered. */
  async function statementsOf(call: () => Promise<unknown>): Promise<number> {
    const run = vi.spyOn(Connection.prototype, 'execute')
    await call()
    const { length } = run.mock.calls
    run.mockRestore()
    return length
  }

  const linked = (items: number, linked_task_ids: readonly string[]) =>
    Array.from({ length: items }, (_, at) => ({ id: `i${at}`, text: 'T', title: 'T', linked_task_ids }))

  test('500 × 300 are refused; 500 × 40, their change and the removal of the spec take some for each card', async () => {
    const { boardId: board_id } = scene
    await world.ok('update_board', { board_id, settings: { max_scenarios_per_card: 100 } })
    // The graph reads the records whenever it is their turn.
    await world.ok('put_board_kg_settings', { board_id, consolidation_enabled: false })
    const spec_id = await scene.spec('approved')
    const ids: string[] = []
    for (let count = 0; count < 40; count++) ids.push(await scene.card({ spec_id }))
    const link = (cards: readonly string[]) =>
      world.call('update_spec', {
        spec_id,
        test_scenarios: linked(100, cards),
        technical_requirements: linked(400, cards),
      })

    const refused = await statementsOf(async () => {
      const { status, body } = await link(Array.from({ length: 300 }, (_, at) => `${ids[0]}${at}`))
      expect([status, body.detail[0].type]).toEqual([422, 'too_long'])
    })
    const added = await statementsOf(async () => expect((await link(ids)).status).toBe(200))
    const changed = await statementsOf(async () => expect((await link(ids.slice(1))).status).toBe(200))
    const removed = await statementsOf(() => world.ok('delete_spec', { spec_id }))
    for (const statements of [refused, added, changed, removed]) expect(statements).toBeLessThan(20 * ids.length)
  })
})
