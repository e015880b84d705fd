/** How the words of Backlog.md are read (exchange 2.1). */
import type { NeutralCard, NeutralSpec } from '../neutral.ts'

export interface Status {
  readonly card: NeutralCard['status']
  readonly spec: NeutralSpec['status']
}

export const statuses: ReadonlyMap<string, Status> = new Map([
  ['to do', { card: 'not_started', spec: 'draft' }],
  ['in progress', { card: 'in_progress', spec: 'in_progress' }],
  ['done', { card: 'done', spec: 'done' }],
])

export const priorities: ReadonlyMap<string, NeutralCard['priority']> = new Map([
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
])

export const decisionStatuses: ReadonlyMap<string, NeutralSpec['decisions'][number]['status']> = new Map([
  ['proposed', 'active'],
  ['accepted', 'active'],
  ['superseded', 'revoked'],
  ['rejected', 'revoked'],
])
