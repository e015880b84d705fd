import { RefinementStatus } from '@specboard/contract'
import type { z } from 'zod'
import { blocked, type DomainError } from '../../kernel/errors.ts'
import { stateMachine } from '../../kernel/state-machine.ts'

export type Status = z.infer<typeof RefinementStatus>

/** The state table of refinements (ideation 4.2). */
export const refinementStates = stateMachine('refinement', RefinementStatus.options, [
  { from: 'draft', to: 'review', gates: ['scope'] },
  { from: 'draft', to: 'cancelled' },
  { from: 'review', to: 'draft' },
  { from: 'review', to: 'approved' },
  { from: 'review', to: 'cancelled' },
  { from: 'approved', to: 'review' },
  { from: 'approved', to: 'done' },
  { from: 'approved', to: 'cancelled' },
  { from: 'done', to: 'draft' },
])

/** Fields whose change increments the version (ideation 5). */
export const contentFields = ['description', 'in_scope', 'out_of_scope', 'analysis', 'decisions'] as const

/** SCOPE_REQUIRED when nothing is in scope, which the move to `review` requires; otherwise null. */
export function scopeRefusal({ in_scope }: { readonly in_scope: readonly string[] | null }): DomainError | null {
  if (in_scope?.some(entry => entry.trim() !== '')) return null
  return blocked('SCOPE_REQUIRED', 'Say what is in scope before the review: update in_scope with at least one entry.', {
    missing: ['in_scope'],
  })
}
