import type { Call, Caller, Service } from '@specboard/domain'
import type { View } from '../tools/view.ts'
import type { IssueTicket } from './upload-ticket.ts'

/** How calls of a tool are confirmed by the person at the client (people 4). */
export interface ToolConfirmation {
  /** What the person agreed to; undefined before being asked. */
  readonly agreed: Agreement | undefined
  /** Whether calls are only rehearsed, to find out what to ask about them. */
  readonly isRehearsal?: true
}

/** An agreement, which permits its calls once. */
export interface Agreement {
  /** The states of the calls' records when the person was asked. */
  readonly marks: readonly string[]
  readonly use: NonNullable<NonNullable<Call['confirmation']>['use']> | undefined
}

/** The caller of a tool, the view of the connection, and what the call needs from its surroundings. */
export interface CallContext {
  readonly service: Pick<
    Service,
    'perform' | 'check' | 'read' | 'withIds' | 'idOf' | 'nextActions' | 'environment' | 'database'
  >
  readonly caller: Caller
  readonly view: View
  readonly requestId: string
  /** The address at which clients reach the API, for links to whole files. */
  readonly origin: string
  /** Fires when the caller cancels or time runs out; its reason is the error that ends the call. */
  readonly abort: AbortSignal
  /** Reports progress; does nothing when the caller did not ask for it. */
  readonly progress: (done: number, total?: number) => void
  /** Issues upload tickets; undefined when no client can reach the endpoint over HTTP. */
  readonly issueTicket: IssueTicket | undefined
  /** What the person at the client has to confirm first; undefined if nobody is asked (people 4). */
  readonly confirming?: ToolConfirmation | undefined
  /** Called with faults of the service. */
  readonly onFault: (error: unknown) => void
}
