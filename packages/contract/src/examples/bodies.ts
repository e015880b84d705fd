/** Complete bodies by component id, where individual fields would not make a useful request. */
import { exampleIds } from '../example-ids.ts'

const card = {
  spec_id: exampleIds.spec,
  title: 'Merge the guest basket into the account',
  priority: 'high',
  description: 'A guest who signs in keeps what is in the basket.',
  details: 'Merge by product id; keep the larger quantity.',
  labels: ['basket', 'sign-in'],
  due_date: '2026-03-20T17:00:00.000Z',
}

const preset = {
  name: 'Builder',
  description: 'Works on cards, decides nothing.',
  flags: { BOARDS_READ: true, CARDS_READ: true },
}

const scene = {
  type: 'excalidraw',
  elements: [{ id: 'box-1', type: 'rectangle', x: 0, y: 0, width: 160, height: 80 }],
}

const design = {
  title: 'Basket service',
  global_description: 'The basket service owns all baskets; the shop calls it.',
  entities: [
    { id: 'basket', name: 'Basket service', entity_type: 'api', responsibility: 'Owns all baskets.' },
    { id: 'shop', name: 'Shop', entity_type: 'web', responsibility: 'Shows the basket.' },
  ],
  interfaces: [
    {
      id: 'merge',
      name: 'Merge baskets',
      endpoint: 'POST /baskets/merge',
      participants: ['shop', 'basket'],
      direction: 'source_to_target',
      protocol: 'HTTP',
    },
  ],
}

/** Complete bodies of requests. */
export const bodyExamples: Readonly<Record<string, object>> = {
  TestReportSubmit: { files: [{ name: 'unit.tap', text: 'TAP version 14\nok 1 - merges two baskets\n1..1\n' }] },
  ProofRunBegin: {
    for: ['SHOP-3/scenario-1'],
    command: 'pnpm test',
    commit: 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678',
  },
  ArchitectureCreate: design,
  ArchitectureDraft: design,
  BoardGuidelineAdd: {
    title: 'Name tests after the behaviour',
    content: 'A test is named after what the user sees, not after the function that it calls.',
    priority: 10,
  },
  BoardUpdate: { description: 'The shop and its sign-in.', settings: { max_scenarios_per_card: 5 } },
  CardCreate: card,
  CardMove: { target_status: 'started' },
  CardUpdate: { priority: 'critical', labels: ['basket', 'sign-in', 'urgent'] },
  CommentCreate: {
    content: 'Which quantity is kept when both baskets hold the same book?',
    comment_type: 'choice',
    choices: [
      { id: 'larger', label: 'The larger one' },
      { id: 'sum', label: 'Both together' },
    ],
  },
  CommentRespond: { selected: ['larger'] },
  DiagramPayloadPut: { payload: scene, format: 'excalidraw_json', change_summary: 'Drew the basket service.' },
  DiscoveryExecute: { board_id: exampleIds.board, params: {} },
  ExcalidrawImport: { title: 'Baskets in context', diagram_type: 'context', payload: scene },
  IdeationEvaluate: {
    domains: 2,
    domains_justification: 'Basket and accounts.',
    ambiguity: 1,
    ambiguity_justification: 'The rule for quantities is known.',
    dependencies: 1,
    dependencies_justification: 'The sign-in service is ours.',
  },
  KgBoardSettingsUpdate: { consolidation_enabled: true, audit_retention_days: 90 },
  KgBoost: { reason: 'Asked for in every planning.' },
  KgCypherQuery: {
    cypher: 'MATCH (d:Decision) RETURN d.title, d.created_at LIMIT 10',
    max_rows: 10,
    timeout_ms: 10_000,
  },
  KgTick: { board_id: exampleIds.board, force_full_rebuild: false },
  PresetClone: preset,
  PresetCreate: preset,
  PresetUpdate: preset,
  DismissItems: { ids: [`answer:${exampleIds.any}`] },
  SnoozeItems: { ids: [`answer:${exampleIds.any}`], until_change: true },
  MarkItems: { ids: [`answer:${exampleIds.any}`] },
  AskAny: { record: 'WS-14', question: 'Which quantity wins?' },
  AttemptsAllow: { more: 2, note: 'Try it with the new basket service.' },
  QuestionAnswer: { answer: 'Keep the larger quantity.' },
  RuntimeSettingsUpdate: { page_cache_mb: 128 },
  ShareCreate: { user_id: exampleIds.executor, permission: 'editor' },
  SpecCreate: {
    title: 'Basket kept across sign-in',
    description: 'A guest who signs in keeps what is in the basket.',
    context: 'Visitors fill a basket before they sign in, and lose it when they do.',
    functional_requirements: ['Signing in merges the guest basket into the basket of the account.'],
    technical_requirements: ['Merging is one transaction.'],
    acceptance_criteria: ['After signing in, the basket holds the items of both baskets.'],
    test_scenarios: [
      {
        id: 'scenario-1',
        title: 'Both baskets hold the same book',
        linked_criteria: ['0'],
        given: 'a guest basket and an account basket with the same book',
        when: 'the guest signs in',
        then: 'the basket holds the larger quantity',
      },
    ],
    business_rules: [
      {
        id: 'rule-1',
        title: 'Quantities',
        rule: 'The larger quantity of a product wins.',
        when: 'both baskets hold the product',
        then: 'its larger quantity is kept',
        linked_requirements: ['0'],
      },
    ],
    decisions: [
      { id: 'decision-1', title: 'Keep baskets on the server', rationale: 'The server sees both baskets at once.' },
    ],
    labels: ['basket', 'sign-in'],
  },
  SpecDerive: { architecture_propagation_mode: 'copy' },
  NotificationChannelCreate: { type: 'slack', url: 'https://hooks.slack.com/services/T024BE7LH/B024BE7LJ/x1' },
  SprintTasks: { card_ids: [exampleIds.card] },
  PathsCheck: { paths: ['src/basket/merge.ts', 'src/sign-in.ts'] },
  PathsReserve: { paths: ['src/basket/**'], note: 'Renames the basket', lease_seconds: 3_600 },
  TaskValidationSubmit: {
    recommendation: 'approve',
    summary: 'Merges the baskets as the spec says.',
    evidence: [{ type: 'test_report', url: 'https://ci.example.com/runs/118' }],
    confidence: 90,
    confidence_justification: 'The tests were read and run.',
    estimated_completeness: 95,
    completeness_justification: 'Every acceptance criterion is met and tested.',
    estimated_drift: 5,
    drift_justification: 'Built as planned.',
  },
}
