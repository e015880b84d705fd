/** Field values for one kind of record, where the name alone is not enough: each record's own id and title. */

import { exampleIds } from '../example-ids.ts'
import { defaultBoardSettings } from '../features/board-settings.ts'
import { runtimeSettings } from '../features/settings.ts'

type Fields = Readonly<Record<string, unknown>>

/** The same fields for several schemas, by component id. */
const of = (schemas: string, fields: Fields): Readonly<Record<string, Fields>> =>
  Object.fromEntries(schemas.split(' ').map(schema => [schema, fields]))

const ideation = { id: exampleIds.ideation, title: 'Keep the basket after signing in', status: 'draft' }
const refinement = { id: exampleIds.refinement, title: 'The basket survives signing in', status: 'draft' }
const spec = { id: exampleIds.spec, title: 'Basket kept across sign-in', status: 'draft' }
const sprint = { id: exampleIds.sprint, title: 'Sprint 1: merge baskets', status: 'active' }
const card = {
  id: exampleIds.card,
  title: 'Merge the guest basket into the account',
  status: 'in_progress',
  expected_behavior: null,
  observed_behavior: null,
  steps_to_reproduce: null,
  action_plan: null,
}
const board = { id: exampleIds.board, name: 'Web shop', description: 'The shop and its sign-in.' }
const agent = { id: exampleIds.executor, name: 'Builder', description: 'Works on cards.' }
const knowledge = { id: exampleIds.knowledge, title: 'How baskets are stored today' }
const design = { id: exampleIds.design, title: 'Basket service' }
const comment = {
  id: exampleIds.comment,
  content: 'Both baskets are merged now; please look at the quantities.',
  choices: null,
  responses: [],
}
const question = { id: exampleIds.question, choices: null, selected: null }
const event = { id: exampleIds.event, summary: 'Changed the title.' }
const validation = { id: exampleIds.validation }
const evaluation = { id: exampleIds.evaluation }
const preset = {
  id: exampleIds.preset,
  name: 'Builder',
  description: 'Works on cards, decides nothing.',
  flags: { BOARDS_READ: true, CARDS_READ: true },
}
const guideline = {
  id: exampleIds.guideline,
  title: 'Name tests after the behaviour',
  content: 'A test is named after what the user sees, not after the function that it calls.',
  tags: ['testing'],
  board_id: null,
}
const node = {
  id: exampleIds.node,
  title: 'Keep baskets on the server',
  content: 'The server sees both baskets at once.',
  confidence: 0.95,
  digest_id: `${exampleIds.board}:${exampleIds.node}`,
}
const edge = { id: 'edge-1', source: exampleIds.node, target: exampleIds.laterNode, confidence: 0.95 }
const scenario = { id: 'scenario-1', title: 'Both baskets hold the same book' }
const settings = Object.fromEntries(Object.entries(runtimeSettings).map(([key, setting]) => [key, setting.default]))

/** Values by component id and field name; they take precedence over those by name alone. */
export const recordExamples: Readonly<Record<string, Fields>> = {
  ...of('Repository RepositorySecret RepositoryCreate RepositoryUpdate', {
    name: 'shop',
    url: 'https://github.com/acme/shop.git',
    forge: 'github',
    path_prefix: null,
    require_signature: false,
  }),
  AuthorsPut: { authors: [{ email: 'ada@example.com', agent_id: null }] },
  ...of('Ideation IdeationListItem IdeationCreate IdeationUpdate IdeationEntityAnalytics', ideation),
  ...of('Refinement RefinementSummary RefinementCreate RefinementUpdate RefinementEntityAnalytics', refinement),
  ...of('Spec SpecSummary SpecUpdate SpecAnalytics SpecEntityAnalytics CoverageAnalytics', spec),
  ...of('Sprint SprintSummary SprintCreate SprintUpdate SprintSuggestion', sprint),
  ...of('SprintsAnalytics SprintAnalytics SprintEntityAnalytics', sprint),
  ...of('Card CardBrief CardReference CardSummary ColumnCard MovedCard ReadyCard CardEntityAnalytics', card),
  ...of('IdeationMove RefinementMove SpecMove', { status: 'review' }),
  ...of('Board BoardListItem BoardCreate', board),
  ...of('Agent AgentSummary AgentCreate AgentUpdate', agent),
  ...of('Preset', preset),
  ...of('Guideline GuidelineCreate GuidelineUpdate', guideline),
  ...of('BoardGuideline BoardGuidelineAdded', { id: exampleIds.guideline, priority: 10 }),
  ...of('CardKnowledge CardKnowledgeCreate CardKnowledgeInput CardKnowledgeUpdate KnowledgeCreate', knowledge),
  ...of('RefinementKnowledge RefinementKnowledgeSummary SpecKnowledge SpecKnowledgeSummary', knowledge),
  ...of('IdeationKnowledgeSummary', knowledge),
  ...of('ArchitectureDesign ArchitectureDesignSummary ArchitectureUpdate', { ...design, parent_type: 'spec' }),
  ...of('Comment CommentCreate CommentUpdate', comment),
  ...of('IdeationQuestion RefinementQuestion SpecQuestion CardQuestion QuestionSnapshot', question),
  ...of('Choice CommentChoice', { id: 'larger', label: 'Keep the larger quantity' }),
  ...of('IdeationSnapshot IdeationSnapshotSummary', { ...ideation, id: exampleIds.snapshot }),
  ...of('RefinementSnapshot RefinementSnapshotSummary', { ...refinement, id: exampleIds.snapshot }),
  ...of('IdeationHistoryEntry RefinementHistoryEntry SpecHistoryEntry SprintHistoryEntry ActivityEntry', event),
  ...of('Change', { field: 'title', old: 'Keep the basket', new: 'Keep the basket after signing in' }),
  ...of('TaskValidation TaskValidationSubmitted SpecValidation SpecValidationRecord', validation),
  ...of('SpecEvaluation SprintEvaluation', evaluation),
  ...of('TestScenario', scenario),
  ...of('BusinessRule', { id: 'rule-1', title: 'Quantities' }),
  ...of('ApiContract', { id: 'contract-1' }),
  ...of('SpecDecision', { id: 'decision-1', title: node.title }),
  ...of('TechnicalRequirement', { id: 'requirement-1', text: 'Merging is one transaction.' }),
  ...of('ScreenMockup', { id: 'mockup-1', title: 'Basket page' }),
  ...of('MockupAnnotation', { id: 'annotation-1', text: 'The quantity may be edited here.' }),
  ...of('ArchitectureEntity', { id: 'basket', name: 'Basket service', entity_type: 'api' }),
  ...of('ArchitectureInterface', { id: 'merge', name: 'Merge baskets', description: null }),
  ...of('ArchitectureDiagram StoredDiagramPayload', { id: 'diagram-1', title: 'Baskets in context' }),
  ...of('ArchitectureDiff', { from: 'The shop owns the baskets.', to: 'The basket service owns all baskets.' }),
  ...of('Attachment', { id: exampleIds.attachment, mime_type: 'image/png' }),
  ...of('Share', { id: exampleIds.share }),
  ...of('Grant', { id: exampleIds.grant }),
  ...of('RuntimeSettings', settings),
  ...of('BoardSettings', defaultBoardSettings),
  ...of('AgentKey', { message: 'Keep this key: it is not shown again. The old one is refused from now on.' }),
  ...of('ValidationEvidence', { type: 'test_report' }),
  ...of('TestTaskLinked', { linked_test_task_ids: [exampleIds.testCard], is_unblocked: true }),
  ...of('DiscoveryIntent', {
    id: exampleIds.intent,
    name: 'blocked_cards',
    label: 'Which cards are blocked?',
    category: 'delivery',
  }),
  ...of('DiscoveryRow', { id: spec.id, type: 'spec', title: spec.title }),
  ...of('DiscoveryResult', { columns: ['title', 'status'], active_sprint_ids: null }),
  ...of('SavedSearch SearchHistoryEntry', { id: exampleIds.search, name: 'Cards that wait' }),
  ...of('KgNode KgNodeDetail KgGraphNode KgNeighbour KgSimilarNode KgGlobalResult KgChainDecision', node),
  ...of('KgDisconnectedNode', { id: exampleIds.node, type: 'Decision' }),
  ...of('KgEdge', edge),
  ...of('KgContradiction', { confidence: 0.8 }),
  ...of('KgStats KgHealth', { avg_confidence: 0.92, avg_relevance: 0.58 }),
  ...of('KgBoosted', { score_before: 0.44, score_after: 0.64 }),
  ...of('KgSession', { nodes_added: 4, edges_added: 3 }),
  ...of('KgAttempt', { message: 'The embedding service did not answer.', error_type: 'TimeoutError' }),
  ...of('KgEvent', { id: 128, payload: { nodes_added: 4 } }),
  ...of('KgEvents', { last_event_id: 128 }),
  ...of('KgCypherResult', { columns: ['d.title'], rows: [[node.title]], execution_time_ms: 2.4 }),
  ...of('KgSchema', { clauses: ['MATCH', 'WHERE', 'RETURN'], functions: ['count'], max_hops: 5, max_rows: 10_000 }),
  ...of('KgSchemaNode', { name: 'Decision', stable: true }),
  ...of('KgSchemaRelation', { name: 'belongs_to', from: 'Requirement', to: 'Entity' }),
  ...of('KgSchemaAttribute', { name: 'title', type: 'string' }),
  ...of('KgVectorIndex', { index_name: 'decision_embedding_idx', dimension: 384 }),
  ...of('KgSettings KgBoardSettings KgBoardSettingsStored', { embedding_dimension: 384, consolidation_enabled: true }),
  ...of('KgMigrated', {
    migrated: true,
    from_version: '1.0',
    to_version: '1.0',
    nodes_reindexed: 4,
    duration_ms: 180.5,
  }),
  ...of('KgOpenApi', { openapi: '3.1.0', title: 'Specboard', version: '0.2.0' }),
  ...of('LineageNode', {
    ...card,
    id: `task:${card.id}`,
    entity_type: 'task',
    entity_id: card.id,
    stage: 4,
    label: card.title,
  }),
  ...of('LineageEdge', { ...edge, source: `spec:${spec.id}`, target: `task:${card.id}`, relationship: 'has_card' }),
  ...of('LineageGraph', { ...spec, type: 'spec', entity_type: 'spec', entity_id: spec.id, node_id: `spec:${spec.id}` }),
  ...of('KgQueueEntry KgDeadLetter', { id: exampleIds.queueEntry, status: 'pending' }),
  ...of('KgPendingNode', { id: spec.id, title: spec.title, status: 'pending', type: 'spec' }),
}
