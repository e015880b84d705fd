import { type IdeationEvaluate, IdeationStatus } from '@specboard/contract'
import type { z } from 'zod'
import { blocked, type DomainError, invalid } from '../../kernel/errors.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { stateMachine } from '../../kernel/state-machine.ts'

export type Status = z.infer<typeof IdeationStatus>

/** The state table of ideations (ideation 4.1). */
export const ideationStates = stateMachine('ideation', IdeationStatus.options, [
  { from: 'draft', to: 'review' },
  { from: 'draft', to: 'cancelled' },
  { from: 'review', to: 'draft' },
  { from: 'review', to: 'approved' },
  { from: 'review', to: 'cancelled' },
  { from: 'approved', to: 'review' },
  { from: 'approved', to: 'evaluating' },
  { from: 'approved', to: 'cancelled' },
  { from: 'evaluating', to: 'approved' },
  { from: 'evaluating', to: 'done' },
  { from: 'evaluating', to: 'cancelled' },
  { from: 'done', to: 'draft' },
])

/** Fields whose change increments the version (ideation 5). */
export const contentFields = ['description', 'problem_statement', 'proposed_approach', 'scope_assessment'] as const

const complexities = ['small', 'medium', 'large'] as const

/** The complexity of an ideation, which is null until it is evaluated. */
export type Complexity = (typeof complexities)[number]

/**
 * A complexity as sent.
 * @throws DomainError VALIDATION_ERROR for an unknown complexity
 */
export const checkedComplexity = (value: string | null): Complexity | null =>
  value === null ? null : oneOf('complexity', complexities, value)

export const scores = ['domains', 'ambiguity', 'dependencies'] as const

const isScore = (value: unknown) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 5

type Assessment = Readonly<Record<string, unknown>>

/**
 * Checks a scope assessment from a request: its three scores, where present, are whole numbers from 1 to 5.
 * @throws DomainError VALIDATION_ERROR with `details` naming the fields
 */
export function checkScores(assessment: Assessment | null | undefined): void {
  const details = scores
    .filter(name => assessment != null && Object.hasOwn(assessment, name) && !isScore(assessment[name]))
    .map(name => ({ field: name, message: 'must be a whole number from 1 to 5' }))
  if (details.length > 0) throw invalid('scope_assessment', 'Scores are whole numbers from 1 to 5.', { details })
}

/** The complexity given by the highest of the three scores, where a missing score counts as 1 (ideation 6). */
export function complexityOf(assessment: Assessment): Complexity {
  const greatest = Math.max(...scores.map(name => (isScore(assessment[name]) ? (assessment[name] as number) : 1)))
  return complexities[Math.min(greatest, 3) - 1]!
}

/**
 * The assessment after an evaluation's fields are merged into it, with the resulting complexity (ideation 6).
 * @throws DomainError VALIDATION_ERROR with `details` naming the scores outside 1 to 5
 */
export function evaluated(
  assessment: Assessment | null,
  evaluation: z.output<typeof IdeationEvaluate>,
): { readonly scope_assessment: Record<string, unknown>; readonly complexity: Complexity } {
  const isName = (name: string) => (scores as readonly string[]).includes(name)
  const supplied = Object.entries(evaluation)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, isName(name) ? Number(value) : value] as const)
  const merged = { ...assessment, ...Object.fromEntries(supplied) }
  checkScores(Object.fromEntries(supplied))
  return { scope_assessment: merged, complexity: complexityOf(merged) }
}

/**
 * REFINEMENT_REQUIRED for a spec derived directly from a medium or large ideation, which needs refinements (ideation
 * 8.3); otherwise null.
 */
export function complexRefusal(complexity: Complexity | null): DomainError | null {
  if (complexity === null || complexity === 'small') return null
  return blocked(
    'REFINEMENT_REQUIRED',
    `A ${complexity} ideation needs refinements, from which specs are derived. Create a refinement of it first.`,
    { complexity, missing: ['refinement'] },
  )
}

/** EVALUATION_NOT_OPEN in any status except `evaluating` (ideation 6); otherwise null. */
export const notEvaluating = (status: Status): DomainError | null =>
  status === 'evaluating'
    ? null
    : blocked(
        'EVALUATION_NOT_OPEN',
        `Only an ideation in evaluating can be evaluated; this one is ${status}. Move it there first.`,
        { status },
      )
