import { permissionNames } from '@specboard/contract'
import fc from 'fast-check'
import { DomainError } from '../src/kernel/errors.ts'
import type { Flags } from '../src/schema/contents.ts'

/** Any permission name. */
export const anyName = fc.constantFrom(...permissionNames)

/** Any flags: some names, each with a boolean. */
export const anyFlags: fc.Arbitrary<Flags> = fc.dictionary(anyName, fc.boolean(), { maxKeys: 40 })

/** The `detail` of a refusal. */
export function detailOf(refused: () => unknown): unknown {
  try {
    refused()
  } catch (error) {
    if (error instanceof DomainError) return error.detail
    throw error
  }
  throw new Error('The call was not refused.')
}
