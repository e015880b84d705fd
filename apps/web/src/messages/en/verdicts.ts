import { number } from '../format.ts'
import { inLanguage } from '../language.ts'

export const verdicts = inLanguage('verdicts', {
  operations: {
    evaluate_ideation: 'Evaluate the scope',
    derive_spec_from_ideation: 'Derive a spec',
    derive_spec_from_refinement: 'Derive a spec',
    submit_spec_validation: 'Validate',
    submit_spec_evaluation: 'Evaluate',
    submit_sprint_evaluation: 'Evaluate',
  },
  titles: {
    evaluate_ideation: 'How large is it?',
    submit_spec_validation: 'Validate the spec',
    submit_spec_evaluation: 'Evaluate the plan of the spec',
    submit_sprint_evaluation: 'Evaluate the sprint',
  },
  leads: {
    evaluate_ideation:
      'Rate from 1 (small) to 5 (large). The highest rating decides: above 1, the ideation needs refinements before specs.',
    submit_spec_validation: 'A passing verdict marks the spec as validated and locks it.',
    submit_spec_evaluation: 'Before work starts, somebody approves how the spec is split into cards.',
    submit_sprint_evaluation: 'A sprint can be closed once somebody has approved its result.',
  },
  review: 'Review the spec',
  reviewLead: 'Once approved, it can be validated, and cards can be added to it. To send it back, open its page.',
  thresholds: (completeness: number, assertiveness: number, ambiguity: number) =>
    `It passes with a completeness of at least ${number(completeness)}, an assertiveness of at least ${number(assertiveness)} and an ambiguity of at most ${number(ambiguity)}.`,
  scores: {
    domains: 'Areas it touches',
    ambiguity: 'Ambiguity (0–100, 0 = clear)',
    unclear: 'What is unclear',
    dependencies: 'What it depends on',
    completeness: 'Completeness (0–100)',
    assertiveness: 'Assertiveness (0–100)',
    breakdown_completeness: 'Completeness of the cards (0–100)',
    granularity: 'Size of the cards (0–100)',
    dependency_coherence: 'Order of the cards (0–100)',
    test_coverage_quality: 'Quality of the tests (0–100)',
    overall_score: 'Overall (0–100)',
  },
  whyOf: (score: string) => `Why: ${score}`,
  overall: 'The verdict in words',
  recommend: { approve: 'Approve', request_changes: 'Ask for changes', reject: 'Reject' },
  submit: 'Save',
  saved: 'Verdict saved',
  given: 'Your verdict is given.',
  failed: (violations: string) => `Not passed: ${violations}`,
  rejected: 'Not passed: it was rejected',
  validations: 'Validations',
  outcome: { success: 'Passed', failed: 'Not passed' },
  active: 'Current',
  scope: 'Scope',
  scopeOf: (domains: string, ambiguity: string, dependencies: string) =>
    `areas ${domains}, unclear ${ambiguity}, dependencies ${dependencies}`,
})
