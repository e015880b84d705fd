import type { ScreenMockup } from '@specboard/contract'
import type { z } from 'zod'
import { invalid } from './errors.ts'

/** A screen of the product (ideation 1.4). */
export type Mockup = z.output<typeof ScreenMockup>

/**
 * The mockups of one record: no two share an id.
 * @throws DomainError VALIDATION_ERROR
 */
export function checkMockups(mockups: readonly Mockup[] | null | undefined): void {
  const ids = (mockups ?? []).map(mockup => mockup.id)
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
  if (repeated.length === 0) return
  throw invalid('screen_mockups', `Two mockups share an id: ${repeated.join(', ')}. Give each its own.`, {
    details: repeated.map(id => ({ field: 'screen_mockups', message: `the id ${id} stands twice` })),
  })
}
