import { IdeationStatus } from '@specboard/contract'
import type { z } from 'zod'
import { invalid } from '../errors.ts'
import { sameJson } from '../json.ts'
import { stateMachine } from '../state-machine.ts'

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

/** Fields whose change raises the version (ideation 5). */
export const contentFields: readonly string[] = [
  'description',
  'problem_statement',
  'proposed_approach',
  'scope_assessment',
]

export const complexities = ['small', 'medium', 'large'] as const

/** How complex an ideation is: null until it was evaluated. */
export type Complexity = (typeof complexities)[number]

const isComplexity = (value: string): value is Complexity => (complexities as readonly string[]).includes(value)

/**
 * A complexity as sent.
 * @throws DomainError VALIDATION_ERROR for a word outside the enumeration
 */
export function checkedComplexity(value: string | null): Complexity | null {
  if (value === null || isComplexity(value)) return value
  throw invalid('complexity', `complexity must be small, medium or large, not "${value}".`, {
    details: [{ field: 'complexity', message: 'must be small, medium or large' }],
  })
}

export const scores = ['domains', 'ambiguity', 'dependencies'] as const

const isScore = (value: unknown) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 5

/**
 * A scope assessment as sent: its three scores, where present, are whole numbers from 1 to 5.
 * @throws DomainError VALIDATION_ERROR with `details` naming the fields
 */
export function checkScores(assessment: Readonly<Record<string, unknown>> | null): void {
  const details = scores
    .filter(name => assessment !== null && name in assessment && !isScore(assessment[name]))
    .map(name => ({ field: name, message: 'must be a whole number from 1 to 5' }))
  if (details.length > 0) throw invalid('scope_assessment', 'Scores are whole numbers from 1 to 5.', { details })
}

/** Complexity from the scores (ideation 6): the greatest of the three, each 1 when missing, decides. */
export function complexityOf(assessment: Readonly<Record<string, unknown>>): Complexity {
  const greatest = Math.max(...scores.map(name => (isScore(assessment[name]) ? (assessment[name] as number) : 1)))
  return complexities[Math.min(greatest, 3) - 1]!
}

/** Whether a change of these fields is a change of content. */
export const changesContent = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): boolean => contentFields.some(field => !sameJson(before[field], after[field]))
