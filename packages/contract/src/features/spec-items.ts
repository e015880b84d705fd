/** The items of a spec (specs 2.2): requirements, tests and decisions. */
import { z } from 'zod'
import { withinFreeJson } from '../free-json.ts'
import { list } from '../limits.ts'
import { FreeObject, Id, Imported, Text, Timestamp } from '../shared.ts'

const References = list(z.string()).nullable().default(null)
const optionalText = Text.default(null)
const percent = z.int().min(0).max(100).describe('0-100')

/** A text with more than white space. */
export const Sentence = z.string().refine(text => text.trim() !== '', { error: 'must not be blank' })

/** Evidence that a test scenario was automated or run; undeclared keys are kept. */
export const TestEvidence = z
  .looseObject({
    test_file_path: optionalText,
    test_function: optionalText,
    last_run_at: optionalText,
    test_run_id: optionalText,
    output_snippet: optionalText,
  })
  .check(withinFreeJson)
  .meta({ id: 'TestEvidence' })

export const ScenarioStatus = z.enum(['draft', 'ready', 'automated', 'passed', 'failed'])

export const TestScenario = z
  .object({
    id: z.string(),
    title: Sentence,
    linked_criteria: References.describe('indices or texts of criteria'),
    scenario_type: z.enum(['unit', 'integration', 'e2e', 'manual']).default('integration'),
    given: z.string().default(''),
    when: z.string().default(''),
    then: z.string().default(''),
    notes: optionalText,
    status: ScenarioStatus.default('draft'),
    linked_task_ids: References,
    evidence: TestEvidence.nullable().default(null),
    latest_evidence: TestEvidence.nullable().default(null),
  })
  .meta({ id: 'TestScenario' })

export const BusinessRule = z
  .object({
    id: z.string(),
    title: z.string(),
    rule: z.string(),
    when: z.string(),
    then: z.string(),
    linked_requirements: References.describe('indices or texts of requirements'),
    linked_task_ids: References,
    notes: optionalText,
  })
  .meta({ id: 'BusinessRule' })

const OpenObject = FreeObject.nullable().default(null)

export const ApiContract = z
  .object({
    id: z.string(),
    method: Sentence.toUpperCase().describe('GET, POST, …, TOOL, COMPONENT, EVENT'),
    path: z.string(),
    description: z.string().default(''),
    request_body: OpenObject,
    response_success: OpenObject,
    response_errors: list(FreeObject).nullable().default(null),
    linked_requirements: References,
    linked_rules: References.describe('ids of business rules'),
    linked_task_ids: References,
    notes: optionalText,
  })
  .meta({ id: 'ApiContract' })

export const SpecDecision = z
  .object({
    id: z.string(),
    title: z.string(),
    rationale: z.string(),
    context: optionalText,
    alternatives_considered: References,
    supersedes_decision_id: z.string().nullable().default(null),
    linked_requirements: References,
    linked_task_ids: References,
    status: z.enum(['active', 'superseded', 'revoked']).default('active'),
    notes: optionalText,
  })
  .meta({ id: 'SpecDecision' })

/** A requirement that cards can be linked to; a plain string is a requirement without links. */
export const TechnicalRequirement = z
  .looseObject({ id: z.string(), text: Sentence, linked_task_ids: References })
  .check(withinFreeJson)
  .meta({ id: 'TechnicalRequirement' })

/** The kinds of item that link_task_to_item links cards to, with the list that each stands in. */
export const itemLists = {
  business_rule: 'business_rules',
  api_contract: 'api_contracts',
  decision: 'decisions',
  technical_requirement: 'technical_requirements',
} as const

export const ItemType = z.enum(Object.keys(itemLists) as [keyof typeof itemLists])

export const Recommendation = z.enum(['approve', 'request_changes', 'reject'])

const Dimension = z.object({ score: z.int(), justification: z.string() }).meta({ id: 'EvaluationDimension' })

/** A stored verdict on a validated spec. */
export const SpecEvaluation = z
  .object({
    id: Id,
    spec_id: Id,
    evaluator_id: Id,
    evaluator_name: z.string(),
    evaluator_type: z.literal('agent'),
    dimensions: z.object({
      breakdown_completeness: Dimension,
      granularity: Dimension,
      dependency_coherence: Dimension,
      test_coverage_quality: Dimension,
    }),
    overall_score: z.int(),
    overall_justification: z.string(),
    recommendation: Recommendation,
    stale: z.boolean(),
    created_at: Timestamp,
    imported: Imported,
  })
  .meta({ id: 'SpecEvaluation' })

/** A verdict as an evaluator sends it. */
export const SpecEvaluationInput = z
  .object({
    breakdown_completeness: percent,
    breakdown_justification: Sentence,
    granularity: percent,
    granularity_justification: Sentence,
    dependency_coherence: percent,
    dependency_justification: Sentence,
    test_coverage_quality: percent,
    test_coverage_justification: Sentence,
    overall_score: percent,
    overall_justification: Sentence,
    recommendation: Recommendation,
  })
  .meta({ id: 'SpecEvaluationInput' })
