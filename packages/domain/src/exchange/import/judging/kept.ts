import type { RecordType } from '../../kinds/kinds.ts'
import { existingDoneTiers, existingResults, existingWaivers } from '../known.ts'
import type { SourceRecord } from '../source.ts'

/** How to look up the kinds without an id of their own, which are stored with another record. */
export const existingKept = {
  scenario_result: existingResults,
  waiver: existingWaivers,
  done_tier: existingDoneTiers,
} as const

/** Whether records of a kind have no id of their own. */
export const isKeptWith = (type: RecordType): type is keyof typeof existingKept => Object.hasOwn(existingKept, type)

/** The record of the file with which such a record is stored. */
export function keptOwner({ type, fields }: SourceRecord): { readonly kind: string; readonly id: string } {
  if (type === 'waiver') return { kind: 'card', id: String(fields.card_id) }
  if (type === 'scenario_result') return { kind: 'spec', id: String(fields.spec_id) }
  return { kind: String(fields.entity_type), id: String(fields.entity_id) }
}
