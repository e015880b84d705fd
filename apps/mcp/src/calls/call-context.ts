import type { Caller, Service } from '@specboard/domain'
import type { View } from '../tools/view.ts'
import type { IssueTicket } from './upload-ticket.ts'

/** The caller of a tool, the view of the connection, and what the call needs from its surroundings. */
export interface CallContext {
  readonly service: Pick<Service, 'perform' | 'check' | 'read' | 'withIds' | 'idOf' | 'nextActions' | 'environment'>
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
  /** Called with faults of the service. */
  readonly onFault: (error: unknown) => void
}
