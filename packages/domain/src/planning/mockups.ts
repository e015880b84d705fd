import type { ScreenMockup } from '@specboard/contract'
import type { z } from 'zod'
import { invalid } from '../kernel/errors.ts'
import { shortId } from '../lib/short-id.ts'

/** A mockup of a screen (ideation 1.4). */
export type Mockup = z.output<typeof ScreenMockup>

/**
 * Checks that the mockups of a record have distinct ids.
 * @throws DomainError VALIDATION_ERROR
 */
export function checkMockups(mockups: readonly Mockup[] | null | undefined): void {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { id } of mockups ?? []) (seen.has(id) ? repeated : seen).add(id)
  if (repeated.size === 0) return
  throw invalid('screen_mockups', `Two mockups share an id: ${[...repeated].join(', ')}. Give each its own.`, {
    details: [...repeated].map(id => ({ field: 'screen_mockups', message: `the id ${id} is repeated` })),
  })
}

/**
 * Copies mockups for a derived record: each with an id that is new there and the `origin_id` of its source
 * (ideation 8.1).
 * @param present the mockups that the derived record already has
 */
export function copiedMockups(mockups: readonly Mockup[], present: readonly Mockup[], newId: () => string): Mockup[] {
  const ids = new Set(present.map(mockup => mockup.id))
  return mockups.map(mockup => {
    const id = shortId('sm', newId, ids)
    ids.add(id)
    return { ...mockup, id, origin_id: mockup.id }
  })
}
