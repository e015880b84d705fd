import { atOnce } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, sha256 } from '../../lib/canonical-json.ts'
import { contentHash, type DraftEdge, type DraftNode, type Extraction } from './draft.ts'
import { extract, rootOf } from './extract.ts'
import { keysOf, linksInto, textOf } from './refs.ts'
import type { CardSource, IdeationSource, RefinementSource, SpecSource, SprintSource } from './sources.ts'

const ideation: IdeationSource = {
  type: 'ideation',
  id: 'i1',
  title: 'Sessions',
  description: null,
  problem_statement: null,
  proposed_approach: null,
  complexity: null,
  status: 'draft',
  archived: false,
  designs: [],
}
const refinement: RefinementSource = {
  type: 'refinement',
  id: 'r1',
  ideation_id: 'i1',
  title: 'Session store',
  description: null,
  analysis: null,
  decisions: [],
  status: 'draft',
  archived: false,
  designs: [],
}
const spec: SpecSource = {
  type: 'spec',
  id: 's1',
  ideation_id: null,
  refinement_id: null,
  title: 'Keep sessions',
  description: null,
  context: null,
  functional_requirements: [],
  technical_requirements: [],
  acceptance_criteria: [],
  test_scenarios: [],
  business_rules: [],
  api_contracts: [],
  decisions: [],
  answers: [],
  status: 'draft',
  archived: false,
  designs: [],
}
const sprint: SprintSource = {
  type: 'sprint',
  id: 'p1',
  spec_id: 's1',
  title: 'First',
  description: 'What',
  objective: 'Why',
  expected_outcome: null,
  status: 'draft',
  archived: false,
}
const card: CardSource = {
  type: 'card',
  id: 'c1',
  spec_id: null,
  sprint_id: null,
  title: 'Do it',
  description: null,
  details: null,
  card_type: 'normal',
  priority: 'none',
  severity: null,
  action_plan: null,
  conclusion: null,
  validation: null,
  dependencies: [],
  origin: null,
  test_tasks: [],
  specs: [],
  status: 'not_started',
  archived: false,
  designs: [],
}

const node = (extraction: Extraction, ref: string): DraftNode | undefined =>
  extraction.nodes.find(candidate => candidate.ref === ref)

/** An edge in short form: rule, ends, and what differs from the defaults. */
const short = ({ rule_id, from, to, confidence, layer }: DraftEdge) =>
  `${from.ref} -${rule_id}-> ${to.ref}${confidence === 1 ? '' : ` ${confidence}`}${layer === 'deterministic' ? '' : ` ${layer}`}`

const edges = (extraction: Extraction, rule?: string) =>
  extraction.edges.filter(edge => rule === undefined || edge.rule_id.startsWith(rule)).map(short)

describe('keys, texts and links', () => {
  test('the key of an item is its id, else its position; a second item with the same id gets its position', () =>
    expect(keysOf([{ id: 'a b:c' }, 'text', { id: '' }, { id: 'x' }, { id: 'x' }, { id: '6' }, 'y'])).toEqual([
      'a_b_c',
      '1',
      '2',
      'x',
      '4',
      '6',
      '_6',
    ]))

  test('no two items share a key, whatever their ids are', () =>
    expect(keysOf([{ id: '3' }, { id: '_3' }, { id: 'x' }, { id: 'x' }])).toEqual(['3', '_3', 'x', '__3']))

  test.each([
    ['plain', 'plain'],
    [{ text: 'a', rule: 'b' }, 'a'],
    [{ rule: 'b', description: 'c' }, 'b'],
    [{ description: 'c' }, 'c'],
    [{ other: 1 }, '{"other":1}'],
  ])('finds the text of %j', (item, text) => expect(textOf(item)).toBe(text))

  test.each([
    [1, 1],
    ['0', 0],
    [' Fast ', 1],
    ['2', null],
    ['nothing', null],
  ])('resolves the link %j', (link, position) => expect(linksInto(['Safe', 'Fast'])(link)).toBe(position))

  test('a link is tried as a position before it is tried as a text', () => expect(linksInto(['1', 'x'])('1')).toBe(1))
})

describe('an ideation', () => {
  test('yields its entity', () =>
    expect(extract({ ...ideation, description: 'D', proposed_approach: 'A', complexity: 'small' }).nodes).toEqual([
      {
        node_type: 'Entity',
        ref: 'ideation:i1',
        title: 'Sessions',
        content: 'D\n\nA',
        context: 'Status: draft\nComplexity: small',
        justification: '',
        source_confidence: 1,
        priority_boost: 0,
        revocation_reason: null,
      },
    ]))

  test('without other texts, uses the title as content', () =>
    expect(rootOf(ideation)).toMatchObject({ content: 'Sessions', context: 'Status: draft' }))
})

describe('a refinement', () => {
  const extraction = extract({
    ...refinement,
    description: 'D',
    analysis: 'A',
    decisions: ['Use Redis', 'x'.repeat(130)],
  })

  test('yields its entity below its ideation', () => {
    expect(node(extraction, 'refinement:r1')).toMatchObject({
      node_type: 'Entity',
      content: 'D\n\nA',
      context: 'Status: draft',
    })
    expect(edges(extraction, 'belongs_to/refinement')).toEqual([
      'refinement:r1 -belongs_to/refinement_to_ideation@v1-> ideation:i1',
    ])
  })

  test('yields its decisions, with titles cut to 120 characters, and the technologies they mention', () => {
    expect(node(extraction, 'refinement:r1:decision:1')).toMatchObject({
      node_type: 'Decision',
      title: 'x'.repeat(120),
      content: 'x'.repeat(130),
    })
    expect(edges(extraction, 'belongs_to/rdec')).toHaveLength(2)
    expect(edges(extraction, 'mentions')).toEqual(['refinement:r1:decision:0 -mentions/tech_list@v1-> tech:redis'])
    expect(node(extraction, 'tech:redis')).toMatchObject({ node_type: 'Entity', title: 'Redis', content: 'Redis' })
  })
})

describe('a spec', () => {
  test('yields its entity, below its refinement, else its ideation', () => {
    const whole = extract({ ...spec, description: 'D', context: 'C', refinement_id: 'r1', ideation_id: 'i1' })
    expect(node(whole, 'spec:s1')).toMatchObject({ content: 'D', context: 'C' })
    expect(edges(whole)).toEqual(['spec:s1 -belongs_to/spec_to_refinement@v1-> refinement:r1'])
    expect(edges(extract({ ...spec, ideation_id: 'i1' }))).toEqual([
      'spec:s1 -belongs_to/spec_to_ideation@v1-> ideation:i1',
    ])
  })

  test.each<[string, Partial<SpecSource>, string, Partial<DraftNode>, string]>([
    [
      'requirement',
      { functional_requirements: ['Fast'] },
      'spec:s1:fr:0',
      { node_type: 'Requirement', title: 'Fast', content: 'Fast' },
      'fr',
    ],
    [
      'technical requirement',
      { technical_requirements: [{ id: 't1', text: 'On disk' }] },
      'spec:s1:tr:t1',
      { node_type: 'Constraint', title: 'On disk', content: 'On disk' },
      'tr',
    ],
    [
      'plain technical requirement',
      { technical_requirements: ['On disk'] },
      'spec:s1:tr:0',
      { node_type: 'Constraint' },
      'tr',
    ],
    ['criterion', { acceptance_criteria: ['Done'] }, 'spec:s1:ac:0', { node_type: 'Criterion', title: 'Done' }, 'ac'],
    [
      'rule',
      { business_rules: [{ id: 'b1', title: 'Limit', rule: 'At most 3' }] },
      'spec:s1:business_rule:b1',
      { node_type: 'Constraint', title: 'Limit', content: 'At most 3' },
      'br',
    ],
    [
      'rule without a title',
      { business_rules: [{ id: 'b1', title: '', rule: 'At most 3' }] },
      'spec:s1:business_rule:b1',
      { title: 'At most 3' },
      'br',
    ],
    [
      'scenario',
      { test_scenarios: [{ id: 'x', title: 'Login', given: 'a user', when: '', then: 'a session' }] },
      'spec:s1:test_scenario:x',
      { node_type: 'TestScenario', title: 'Login', content: 'Given: a user\nThen: a session' },
      'ts',
    ],
    [
      'scenario without a title',
      { test_scenarios: [{ id: 'x' }] },
      'spec:s1:test_scenario:x',
      { title: 'TS-1', content: '' },
      'ts',
    ],
    [
      'contract',
      { api_contracts: [{ id: 'a', method: 'GET', path: '/x', description: 'Reads' }] },
      'spec:s1:api_contract:a',
      { node_type: 'APIContract', title: 'GET /x', content: 'Reads' },
      'api',
    ],
    [
      'contract without a description',
      { api_contracts: [{ id: 'a' }] },
      'spec:s1:api_contract:a',
      { title: 'API-1', content: '{"id":"a"}' },
      'api',
    ],
    [
      'decision',
      { decisions: [{ id: 'd', title: 'Cut', rationale: 'Why', context: 'Where', notes: 'How' }] },
      'spec:s1:decision:d',
      { node_type: 'Decision', title: 'Cut', content: 'Why', context: 'Where', justification: 'How' },
      'fdec',
    ],
    [
      'decision without a rationale',
      { decisions: [{ id: 'd', title: 'Cut', rationale: '' }] },
      'spec:s1:decision:d',
      { content: 'Cut' },
      'fdec',
    ],
    [
      'legacy decision',
      { context: '## Decisions\n- Cut it' },
      'spec:s1:decision_legacy:0',
      { node_type: 'Decision', title: 'Cut it', content: 'Cut it' },
      'dec',
    ],
    [
      'alternative of a decision',
      { decisions: [{ id: 'd', title: 'Cut', alternatives_considered: ['Glue'] }] },
      'spec:s1:alternative:d_0',
      { node_type: 'Alternative', title: 'Glue' },
      'alt',
    ],
  ])('yields each %s below its entity', (_, fields, ref, expected, name) => {
    const extraction = extract({ ...spec, ...fields })
    expect(node(extraction, ref)).toMatchObject(expected)
    expect(edges(extraction, 'belongs_to')).toContain(`${ref} -belongs_to/${name}@v1-> spec:s1`)
  })

  test('connects scenarios to criteria and contracts to requirements, and counts links that lead nowhere', () => {
    const extraction = extract({
      ...spec,
      functional_requirements: ['Fast', 'Safe'],
      acceptance_criteria: ['Done', 'Quick'],
      test_scenarios: [{ id: 'x', linked_criteria: ['0', 'Quick', 'Gone'] }],
      api_contracts: [{ id: 'a', linked_requirements: [1, 'Fast', '7'] }],
    })
    expect(edges(extraction, 'tests')).toEqual([
      'spec:s1:test_scenario:x -tests/ac_match@v1-> spec:s1:ac:0',
      'spec:s1:test_scenario:x -tests/ac_match@v1-> spec:s1:ac:1',
    ])
    expect(edges(extraction, 'implements')).toEqual([
      'spec:s1:api_contract:a -implements/fr_match@v1-> spec:s1:fr:1',
      'spec:s1:api_contract:a -implements/fr_match@v1-> spec:s1:fr:0',
    ])
    expect(extraction.missing_links).toBe(2)
  })

  test('derives a decision from the requirements it links to, or weakly from all when it has no links', () => {
    const extraction = extract({
      ...spec,
      functional_requirements: ['Fast', 'Safe'],
      decisions: [
        { id: 'named', title: 'A', linked_requirements: ['1', 'Safe'] },
        { id: 'lost', title: 'B', linked_requirements: ['9'] },
        { id: 'silent', title: 'C', linked_requirements: null },
        { id: 'revoked', title: 'D', status: 'revoked' },
      ],
    })
    expect(edges(extraction, 'derives_from')).toEqual([
      'spec:s1:decision:named -derives_from/explicit_link@v1-> spec:s1:fr:1',
      'spec:s1:decision:silent -derives_from/cooccurrence@v1-> spec:s1:fr:0 0.6',
      'spec:s1:decision:silent -derives_from/cooccurrence@v1-> spec:s1:fr:1 0.6',
    ])
    expect(node(extraction, 'spec:s1:decision:revoked')?.revocation_reason).toBe('revoked')
    expect(extraction.missing_links).toBe(1)
  })

  test('without a rationale, finds technologies anywhere in the title of a decision', () =>
    expect(
      edges(
        extract({ ...spec, decisions: [{ id: 'd', title: `${'x '.repeat(60)}Redis`, rationale: '' }] }),
        'mentions',
      ),
    ).toEqual(['spec:s1:decision:d -mentions/tech_list@v1-> tech:redis']))

  test('connects decisions to those they supersede; never to themselves, to nothing or in a cycle', () => {
    const extraction = extract({
      ...spec,
      decisions: [
        { id: 'a', title: 'A', supersedes_decision_id: 'b' },
        { id: 'b', title: 'B', supersedes_decision_id: 'a', status: 'superseded' },
        { id: 'c', title: 'C', supersedes_decision_id: 'c' },
        { id: 'd', title: 'D', supersedes_decision_id: 'gone' },
        { id: 'e', title: 'E', supersedes_decision_id: 'b' },
      ],
    })
    expect(edges(extraction, 'supersedes')).toEqual([
      'spec:s1:decision:a -supersedes/explicit@v1-> spec:s1:decision:b',
      'spec:s1:decision:e -supersedes/explicit@v1-> spec:s1:decision:b',
    ])
    expect(extraction.missing_links).toBe(3)
    expect(
      extraction.nodes.filter(({ revocation_reason }) => revocation_reason === 'superseded').map(({ ref }) => ref),
    ).toEqual(['spec:s1:decision:b'])
  })

  test('leaves out legacy decisions that are also formal ones; the others derive weakly from all requirements', () => {
    const extraction = extract({
      ...spec,
      context: '## Decisions\n- Cut\n* Use Kysely\n\n## Next\n- Not one',
      functional_requirements: ['Fast'],
      decisions: [{ id: 'd', title: 'Cut', linked_requirements: ['0'] }],
    })
    expect(extraction.nodes.filter(({ ref }) => ref.includes('legacy')).map(({ ref }) => ref)).toEqual([
      'spec:s1:decision_legacy:1',
    ])
    expect(edges(extraction, 'derives_from/cooccurrence')).toEqual([
      'spec:s1:decision_legacy:1 -derives_from/cooccurrence@v1-> spec:s1:fr:0 0.6',
    ])
    expect(edges(extraction, 'mentions')).toEqual(['spec:s1:decision_legacy:1 -mentions/tech_list@v1-> tech:kysely'])
  })

  test('finds alternatives and assumptions in the analysis and in answers', () => {
    const extraction = extract({
      ...spec,
      context: '## Analysis\nMemcached was considered. We assume one region!\n## Other\nIt was rejected.',
      answers: ['Assuming few users, SQLite instead of a server'],
    })
    expect(
      extraction.nodes
        .filter(({ source_confidence }) => source_confidence === 0.6)
        .map(({ node_type, ref, title }) => [node_type, ref, title]),
    ).toEqual([
      ['Alternative', 'spec:s1:alternative:0', 'Memcached was considered'],
      ['Alternative', 'spec:s1:alternative:1', 'Assuming few users, SQLite instead of a server'],
      ['Assumption', 'spec:s1:assumption:0', 'We assume one region'],
      ['Assumption', 'spec:s1:assumption:1', 'Assuming few users, SQLite instead of a server'],
    ])
    expect(extraction.edges.map(edge => [edge.layer, edge.confidence, edge.fallback_reason])).toEqual(
      Array(4).fill(['fallback', 0.6, 'text_pattern']),
    )
  })
})

describe('a sprint', () => {
  test('yields its entity below its spec, and its expected outcome', () => {
    const extraction = extract({ ...sprint, expected_outcome: 'Works' })
    expect(node(extraction, 'sprint:p1')).toMatchObject({ node_type: 'Entity', content: 'What', context: 'Why' })
    expect(node(extraction, 'sprint:p1:outcome')).toMatchObject({
      node_type: 'Criterion',
      title: 'Expected Outcome: First',
      content: 'Works',
    })
    expect(edges(extraction)).toEqual([
      'sprint:p1 -belongs_to/sprint_to_spec@v1-> spec:s1',
      'sprint:p1:outcome -belongs_to/sprint_outcome@v1-> sprint:p1',
    ])
    expect(extract(sprint).nodes).toHaveLength(1)
  })
})

describe('a card', () => {
  test('yields its root node with report, verdict and priority', () => {
    expect(
      rootOf({
        ...card,
        description: 'D',
        details: 'E',
        priority: 'high',
        conclusion: 'Did it',
        validation: { outcome: 'success', summary: 'fine' },
      }),
    ).toMatchObject({
      node_type: 'Entity',
      content: 'D\n\nE',
      context: 'Status: not_started\nType: normal\nPriority: high\nDid it\nValidation: success fine',
      priority_boost: 0.1,
    })
  })

  test('belongs to its sprint and spec, depends on other cards', () =>
    expect(
      edges(
        extract({
          ...card,
          sprint_id: 'p1',
          spec_id: 's1',
          dependencies: [
            { id: 'c2', card_type: 'normal' },
            { id: 'b1', card_type: 'bug' },
          ],
        }),
      ),
    ).toEqual([
      'card:c1 -belongs_to/card_to_sprint@v1-> sprint:p1',
      'card:c1 -belongs_to/card_to_spec@v1-> spec:s1',
      'card:c1 -depends_on/card_dependency@v1-> card:c2',
      'card:c1 -depends_on/card_dependency@v1-> card:b1',
    ]))

  const bug: CardSource = {
    ...card,
    card_type: 'bug',
    severity: 'critical',
    spec_id: 's1',
    origin: { id: 'c2', card_type: 'normal' },
    test_tasks: [{ id: 't1', card_type: 'test', spec_id: 's1', test_scenario_ids: ['x'] }],
    specs: [
      {
        id: 's1',
        technical_requirements: ['plain', { id: 't', text: 'T', linked_task_ids: ['c2'] }],
        business_rules: [
          { id: 'r', rule: 'R', linked_task_ids: ['c2', 'c3'] },
          { id: 'q', rule: 'Q', linked_task_ids: ['c3'] },
        ],
        test_scenarios: [{ id: 'w' }, { id: 'x' }],
      },
    ],
  }

  test('that is a bug yields a Bug with its origin, its test tasks, their scenarios, and what it violates', () => {
    const extraction = extract(bug)
    expect(rootOf(bug)).toMatchObject({ node_type: 'Bug', priority_boost: 0.2 })
    expect(edges(extraction).slice(1)).toEqual([
      'card:c1 -originates_from/origin_task_id@v1-> card:c2',
      'card:c1 -covered_by/linked_test_task@v1-> card:t1',
      'card:c1 -covered_by/linked_test_scenario@v1-> spec:s1:test_scenario:x',
      'card:c1 -violates/origin_task@v1-> spec:s1:tr:t 0.7',
      'card:c1 -violates/origin_task@v1-> spec:s1:business_rule:r 0.7',
    ])
  })

  test.each([
    ['done', 50, true],
    ['done', 49, false],
    ['validation', 60, false],
  ])('a bug in %s with an action plan of %i characters yields a lesson: %s', (status, length, expected) => {
    const extraction = extract({ ...bug, title: 'x'.repeat(130), status, action_plan: ` ${'y'.repeat(length)} ` })
    const learning = node(extraction, 'card:c1:learning')
    expect(learning !== undefined).toBe(expected)
    if (learning === undefined) return
    expect(learning).toMatchObject({ node_type: 'Learning', source_confidence: 0.9 })
    expect(learning.title).toBe(`Learning: ${'x'.repeat(110)}`)
    expect(edges(extraction).filter(edge => edge.startsWith('card:c1:learning'))).toEqual([
      'card:c1:learning -validates/learning@v1-> card:c1',
      'card:c1:learning -belongs_to/learning@v1-> spec:s1',
    ])
  })
})

describe('designs', () => {
  const designs = [
    {
      id: 'a1',
      title: 'Store',
      global_description: ' ',
      entities: [{ name: 'Cache', entity_type: 'database', technologies: ['Redis', 'TLS'], notes: null }],
      interfaces: [{ id: 'if', name: 'Read', protocol: 'HTTP', request_schema: { a: 1 }, participants: [] }],
    },
  ]

  test('yield one node each, and one for every entity and interface', () => {
    const extraction = extract({ ...spec, designs })
    expect(node(extraction, 'architecture_design:a1')).toMatchObject({
      title: 'Store',
      content: 'Store',
      context: 'Parent: spec:s1',
    })
    expect(node(extraction, 'architecture_design:a1:entity:0')).toMatchObject({
      node_type: 'Entity',
      title: 'Cache',
      content: 'Entity type: database\nTechnologies: Redis, TLS',
    })
    expect(node(extraction, 'architecture_design:a1:interface:if')).toMatchObject({
      node_type: 'APIContract',
      content: 'Protocol: HTTP\nRequest schema: {"a":1}',
    })
    expect(edges(extraction)).toEqual([
      'architecture_design:a1 -belongs_to/architecture_design@v1-> spec:s1',
      'architecture_design:a1:entity:0 -belongs_to/architecture_entity@v1-> architecture_design:a1',
      'architecture_design:a1:interface:if -belongs_to/architecture_interface@v1-> architecture_design:a1',
    ])
  })

  test('can belong to a bug too', () =>
    expect(edges(extract({ ...card, card_type: 'bug', designs }))).toContain(
      'architecture_design:a1 -belongs_to/architecture_design@v1-> card:c1',
    ))
})

describe('a record out of force', () => {
  const decisions = [
    { id: 'a', title: 'Use Redis', supersedes_decision_id: 'b' },
    { id: 'b', title: 'B' },
  ]
  const reasons = (fields: Partial<SpecSource>) =>
    Object.fromEntries(extract({ ...spec, decisions, ...fields }).nodes.map(each => [each.ref, each.revocation_reason]))

  test('takes all of its nodes out of force, but no technology', () => {
    expect(reasons({ status: 'cancelled' })).toEqual({
      'spec:s1': 'source_cancelled',
      'spec:s1:decision:a': 'source_cancelled',
      'spec:s1:decision:b': 'source_cancelled',
      'tech:redis': null,
    })
    expect(reasons({ status: 'cancelled', archived: true })['spec:s1']).toBe('source_archived')
    expect(reasons({})).toMatchObject({ 'spec:s1': null, 'spec:s1:decision:b': 'superseded' })
  })
})

describe('extraction is a pure function of the record', () => {
  const record = fc.record({
    functional_requirements: fc.array(fc.string()),
    acceptance_criteria: fc.array(fc.string()),
    decisions: fc.array(
      fc.record({
        id: fc.string({ maxLength: 3 }),
        title: fc.string(),
        linked_requirements: fc.option(fc.array(fc.string({ maxLength: 2 }))),
        supersedes_decision_id: fc.option(fc.string({ maxLength: 3 })),
        alternatives_considered: fc.option(fc.array(fc.string())),
      }),
    ),
    context: fc.option(fc.string()),
  })

  test('a record always yields the same hash, no node or edge twice, and both ends of each edge', () =>
    fc.assert(
      fc.property(record, fields => {
        const first = extract({ ...spec, ...fields })
        const second = extract(structuredClone({ ...spec, ...fields }))
        expect(atOnce(contentHash(second))).toBe(atOnce(contentHash(first)))
        const keys = first.nodes.map(({ node_type, ref }) => `${node_type} ${ref}`)
        expect(new Set(keys).size).toBe(keys.length)
        const ends = first.edges.map(({ edge_type, from, to }) => `${edge_type} ${from.ref} ${to.ref}`)
        expect(new Set(ends).size).toBe(ends.length)
        for (const { from, to } of first.edges)
          for (const end of [from, to]) expect(keys).toContain(`${end.node_type} ${end.ref}`)
      }),
      { numRuns: 40 },
    ))

  test('a spec yields at most 20,000 edges of co-occurrence, and 500 decisions and sentences of a text (walls 3, rule 4)', () => {
    const many = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at))
    const { nodes, edges: all } = extract({
      ...spec,
      context: `## Decisions\n${many(600, at => `- decision ${at}\n`).join('')}## Analysis\n${many(600, at => `We rejected ${at}, assuming so.\n`).join('')}`,
      functional_requirements: many(300, at => `requirement ${at}`),
    })
    expect(all.filter(({ rule_id }) => rule_id === 'derives_from/cooccurrence@v1')).toHaveLength(66 * 300)
    for (const type of ['Decision', 'Alternative', 'Assumption'])
      expect(nodes.filter(({ node_type }) => node_type === type)).toHaveLength(500)
  })

  test('the hash does not depend on the order of nodes and edges', () => {
    const { nodes, edges: all } = extract({ ...spec, functional_requirements: ['a', 'b'] })
    const hash = (extraction: Pick<Extraction, 'nodes' | 'edges'>) => atOnce(contentHash(extraction))
    expect(hash({ nodes: nodes.toReversed(), edges: all.toReversed() })).toBe(hash({ nodes, edges: all }))
    expect(hash({ nodes: [nodes[0]!], edges: [all[0]!] })).toBe(
      sha256(canonicalJson({ nodes: [nodes[0]], edges: [all[0]] })),
    )
    expect(hash({ nodes: [], edges: [] })).toBe(sha256(canonicalJson({ nodes: [], edges: [] })))
  })
})
