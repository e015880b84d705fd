import type { features, HookEvent, InputOf } from '@specboard/contract'
import type { z } from 'zod'
import type { HeldClaim } from '../../delivery/sessions/store.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { ClientSessionsTable } from '../../schema/tables.ts'

type ReportHook = typeof features.harness.report_hook

/** An event reported by a hook (harness 3.2). */
export type Event = z.output<typeof HookEvent>

/** The report of a hook. */
export type Report = InputOf<ReportHook>['body']

/** The answer to a hook. */
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

/** Facts other than stored data on which the texts of an event depend. */
export interface Hints {
  /** Whether a run ended with an unknown exit code. */
  readonly endUnknown?: boolean
}
