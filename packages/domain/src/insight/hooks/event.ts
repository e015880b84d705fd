import type { features, HookEvent, InputOf } from '@specboard/contract'
import type { z } from 'zod'
import type { HeldClaim } from '../../delivery/sessions/store.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { ClientSessionsTable } from '../../schema/tables.ts'

type ReportHook = typeof features.harness.report_hook

/** An event that a hook tells of (harness 3.2). */
export type Event = z.output<typeof HookEvent>

/** What a hook tells. */
export type Report = InputOf<ReportHook>['body']

/** What a hook is answered. */
export type Answer = z.output<ReportHook['response']>

/** A session of the caller at an event, on the board that it works on. */
export interface AtEvent {
  readonly event: Event
  readonly report: Report
  readonly session: ClientSessionsTable
  /** The claims that are bound to the session. */
  readonly bound: readonly HeldClaim[]
  readonly access: Access
}

/** What the texts of an event depend on beside what is stored. */
export interface Hints {
  /** Whether a run ended of which the exit code is not known. */
  readonly endUnknown?: boolean
}
