/** Lineage (planning 3). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, Ref } from '../shared.ts'
import { CardType } from './summaries.ts'

/** The kinds of node. */
export const LineageKind = z.enum([
  'ideation',
  'refinement',
  'spec',
  'sprint',
  'task',
  'test',
  'bug',
  'business_rule',
  'technical_requirement',
  'scenario',
  'api_contract',
  'decision',
  'validation',
  'mockup',
  'knowledge',
  'architecture',
  'change',
])

export const LineageRelationship = z.enum([
  'has_refinement',
  'direct_spec',
  'derived_spec',
  'has_sprint',
  'contains_card',
  'has_card',
  'originates_bug',
  'regression_test',
  'depends_on',
  'has_business_rule',
  'has_technical_requirement',
  'has_scenario',
  'has_api_contract',
  'has_decision',
  'implements',
  'verifies',
  'scopes',
  'supersedes',
  'has_validation',
  'has_mockup',
  'has_knowledge',
  'has_architecture',
  'changes',
])

const count = z.int()

export const LineageNode = z
  .object({
    id: z.string(),
    entity_type: LineageKind,
    entity_id: z.string(),
    ref: Ref.exactOptional(),
    title: z.string(),
    label: z.string(),
    status: z.string().nullable(),
    stage: z.int(),
    archived: z.boolean(),
    parent_id: z.string().nullable(),
    card_type: CardType.exactOptional(),
    summary: z.object({ total: count, normal: count, test: count, bug: count, done: count }).exactOptional(),
  })
  .meta({ id: 'LineageNode' })

export const LineageEdge = z
  .object({ id: z.string(), source: z.string(), target: z.string(), relationship: LineageRelationship })
  .meta({ id: 'LineageEdge' })

const Titled = { id: Id, ref: Ref.exactOptional(), title: z.string(), status: z.string().nullable() }

export const LineageGraph = z
  .object({
    board_id: Id,
    selected: z.object({ entity_type: z.string(), entity_id: Id, ref: Ref.exactOptional(), node_id: z.string() }),
    root_entity: z.object({ type: z.enum(['ideation', 'spec', 'board']), ...Titled }),
    root_ideation: z.object({ ...Titled, entity_type: z.enum(['spec', 'board']).exactOptional() }),
    resolution_path: z.array(z.object({ type: z.string(), id: Id, ref: Ref.exactOptional(), node_id: z.string() })),
    nodes: z.array(LineageNode),
    edges: z.array(LineageEdge),
    summary: z.object({
      ideations: count,
      refinements: count,
      specs: count,
      orphan_specs: count,
      cards: count,
      nodes: count,
      edges: count,
      artifacts: count,
      by_kind: z.record(z.string(), count),
    }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'LineageGraph' })

const get_lineage_graph = operation({
  name: 'get_lineage_graph',
  method: 'GET',
  path: '/api/v1/{board_id}/lineage-graph',
  permission: 'LINEAGE_READ',
  reads: 'board',
  title: 'Get lineage graph',
  description: 'Get the tree around a record, from ideations to cards.',
  params: { board_id: Id },
  query: {
    entity_type: z.string().describe('ideation, refinement, spec, sprint, card or board'),
    entity_id: z.string().min(1),
    detail: z.enum(['full', 'workflow']).default('full'),
    include_artifacts: z.boolean().default(false).describe('mockups, knowledge, architecture'),
    include_archived: z.boolean().default(true),
  },
  response: LineageGraph,
  errors: ['VALIDATION_ERROR', 'LINEAGE_ROOT_UNRESOLVED'],
  keywords: ['traceability', 'trace', 'tree', 'impact'],
})

export const lineage = { get_lineage_graph } as const
