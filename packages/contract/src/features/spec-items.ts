/** The items of a spec (specs 2.2): requirements, tests and decisions. */
import { z } from 'zod'
import { inForm } from '../forms.ts'
import { withinFreeJson } from '../free-json.ts'
import { list } from '../limits.ts'
import { sentItem } from '../sent-items.ts'
import {
  ExpectedRev,
  FreeObject,
  Id,
  Imported,
  inOneLine,
  PartRef,
  PartTitle,
  Ref,
  Rev,
  ScreenMockup,
  Text,
  Timestamp,
  withoutRepeats,
} from '../shared.ts'
import { maxTests, TestPattern } from '../test-patterns.ts'
import { shownAs, toolHints } from '../tool-hints.ts'
import { RecordProof } from './record-proof.ts'
import { SpecStatus } from './summaries.ts'

const References = list(z.string()).nullable().default(null)
const optionalText = Text.default(null)
const percent = z.int().min(0).max(100).describe('0-100')

/** A text that is not blank. */
export const Sentence = z.string().refine(text => text.trim() !== '', inForm('not_blank'))

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

/** Patterns of the tests that prove a scenario (evidence 3). */
export const listedTests = () => z.array(TestPattern).max(maxTests).overwrite(withoutRepeats)

/** The same inside a scenario: set_scenario_tests documents them, so that tool lists need not. */
const ScenarioTests = listedTests().register(toolHints, { hidden: true })

export const TestScenario = z
  .object({
    id: z.string(),
    title: Sentence.overwrite(inOneLine),
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
    tests: ScenarioTests.default([]).register(toolHints, { hidden: true }),
  })
  .meta({ id: 'TestScenario' })

/** A scenario in responses: its proof is derived from its results, and is never sent (evidence 7). */
export const ProvenScenario = TestScenario.extend({
  proof: RecordProof.nullable().describe('null where nothing but claims exists'),
}).meta({ id: 'ProvenScenario' })

export const BusinessRule = z
  .object({
    id: z.string(),
    title: PartTitle,
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
    title: PartTitle,
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

/** The items of a spec, by list (specs 2.2). */
export const specItems = {
  test_scenarios: TestScenario,
  business_rules: BusinessRule,
  api_contracts: ApiContract,
  decisions: SpecDecision,
  technical_requirements: TechnicalRequirement,
  screen_mockups: ScreenMockup,
} as const

/** The lists of a spec whose elements are items. */
export type ItemList = keyof typeof specItems

/** The lists of a spec whose elements are texts. */
export const textLists = ['functional_requirements', 'acceptance_criteria'] as const

const sentRequirement = z.union([z.string(), sentItem(TechnicalRequirement, 'TechnicalRequirementChange')])

/** Lists of items in update_spec: an absent member keeps its value (crew 1.2). */
export const sentLists = {
  test_scenarios: list(sentItem(TestScenario, 'TestScenarioChange')),
  business_rules: list(sentItem(BusinessRule, 'BusinessRuleChange')),
  api_contracts: list(sentItem(ApiContract, 'ApiContractChange')),
  decisions: list(sentItem(SpecDecision, 'SpecDecisionChange')),
  technical_requirements: list(sentRequirement),
}

const newId = { withoutId: true } as const

/** Entries of a text list in put_spec_items: a text to add, or one to reword. */
const TextEntry = z.union([Sentence, z.object({ was: z.string(), text: Sentence }).meta({ id: 'RewordedText' })])

/** The entries of put_spec_items (crew 1.1): items to change, by id, or to add, with or without an id. */
export const SpecItemsPut = z
  .object({
    test_scenarios: shownAs(list(sentItem(TestScenario, 'TestScenarioEntry', newId)).exactOptional(), 'create_spec'),
    business_rules: shownAs(list(sentItem(BusinessRule, 'BusinessRuleEntry', newId)).exactOptional(), 'create_spec'),
    api_contracts: shownAs(list(sentItem(ApiContract, 'ApiContractEntry', newId)).exactOptional(), 'create_spec'),
    decisions: shownAs(list(sentItem(SpecDecision, 'SpecDecisionEntry', newId)).exactOptional(), 'create_spec'),
    technical_requirements: list(
      z.union([z.string(), sentItem(TechnicalRequirement, 'TechnicalRequirementEntry', newId)]),
    ).exactOptional(),
    screen_mockups: shownAs(
      list(sentItem(ScreenMockup, 'ScreenMockupEntry', newId)).exactOptional(),
      'create_ideation',
    ),
    functional_requirements: list(TextEntry).exactOptional().describe('text, or {was, text} to reword'),
    acceptance_criteria: list(TextEntry).exactOptional().describe('text, or {was, text} to reword'),
    remove: list(z.string()).exactOptional().describe('ids, or exact texts'),
    allow_removal: z.boolean().exactOptional(),
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'SpecItemsPut' })

const ChangedItem = z
  .object({
    list: z.string(),
    id: z.string().exactOptional(),
    text: z.string().exactOptional().describe('of a text without an id'),
  })
  .meta({ id: 'ChangedItem' })

/** The changes made by put_spec_items. */
export const ItemChanges = z
  .object({
    spec_id: Id,
    ref: Ref,
    rev: Rev,
    version: z.int(),
    status: SpecStatus,
    added: z.array(ChangedItem),
    changed: z.array(ChangedItem),
    removed: z.array(ChangedItem),
    unchanged: z.int().min(0),
  })
  .meta({ id: 'ItemChanges' })

/** The kinds of item that link_task_to_item links cards to, with the list of each. */
export const itemLists = {
  business_rule: 'business_rules',
  api_contract: 'api_contracts',
  decision: 'decisions',
  technical_requirement: 'technical_requirements',
} as const

export const ItemType = z.enum(Object.keys(itemLists) as [keyof typeof itemLists])

export const Recommendation = z.enum(['approve', 'request_changes', 'reject'])

const Dimension = z.object({ score: z.int(), justification: z.string() }).meta({ id: 'EvaluationDimension' })

/** A verdict on a validated spec, inside its spec. */
export const StoredSpecEvaluation = z.object({
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

/** A verdict on a validated spec. */
export const SpecEvaluation = z.object({ ...StoredSpecEvaluation.shape, ref: PartRef }).meta({ id: 'SpecEvaluation' })

/** A verdict in requests. */
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

/** The lists of a spec in the order in which their items are listed (crew 1.7). */
export const listedItems = [
  'test_scenarios',
  'business_rules',
  'api_contracts',
  'decisions',
  'technical_requirements',
  'screen_mockups',
  'functional_requirements',
  'acceptance_criteria',
] as const

/** An item of a spec with its list, or a text with its index in it; the other members are those of the item. */
export const SpecItemRow = z
  .looseObject({
    list: z.enum(listedItems),
    id: z.string().nullable(),
    at: z.int().min(0).exactOptional().describe('of a text: its index'),
    text: z.string().exactOptional(),
  })
  .meta({ id: 'SpecItemRow' })
