import type { Call, Caller, Service } from '@specboard/domain'
import type { View } from '../tools/view.ts'
import type { IssueTicket } from './upload-ticket.ts'

/** How calls of a tool are confirmed by the person at the client (people 4). */
export interface Confirming {
  /** What that person agreed to; undefined before it was asked. */
  readonly agreed: Agreed | undefined
  /** Whether calls are only tried, to see what would be asked about them. */
  readonly isRehearsal?: true
}

/** An agreement, which runs what it was given for once. */
export interface Agreed {
  /** The records of the calls, as they were when the person was asked. */
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
  /** What the person at the client confirms first; undefined where nobody is asked (people 4). */
  readonly confirming?: Confirming | undefined
  /** Called with faults of the service. */
  readonly onFault: (error: unknown) => void
}
