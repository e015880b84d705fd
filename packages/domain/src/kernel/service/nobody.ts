import type { Address } from '../access/records.ts'
import type { Caller } from '../context.ts'

/** The caller of public operations without a key; it has no permissions. */
export const nobody: Caller = {
  id: '',
  name: '',
  kind: 'service',
  via: 'service',
  present: false,
  presetId: null,
  flags: null,
  base: { allowed: new Set(), deniedBy: () => 'preset' },
}

/** The address of a context without an operation. */
export const nowhere: Address = { target: null, way: null, records: {} }
