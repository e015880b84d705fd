import { issueItem } from '@specboard/contract'
import type { ArgumentIssue, ToolOptions } from './read-arguments.ts'

/** The upload that a ticket is requested for. */
export interface TicketRequest {
  readonly agentId: string
  /** The upload, by the name of its operation, with its parsed parameters and query. */
  readonly operation: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly filename: string
  readonly mimeType: string | null
}

/** Where to send the file, and until when. */
export interface IssuedTicket {
  readonly url: string
  /** ms since 1970. */
  readonly expiresAt: number
}

/** Issues a ticket for an upload; the caller's access has been checked. */
export type IssueTicket = (request: TicketRequest) => Promise<IssuedTicket>

/** The faults in a request for a ticket. */
export function ticketFaults({ text, content_base64 }: ToolOptions, possible: boolean): ArgumentIssue[] {
  if (!possible)
    return [issueItem(['ticket'], 'value_error', 'no upload tickets here; send text, content_base64 or path')]
  if (text === undefined && content_base64 === undefined) return []
  return [issueItem(['ticket'], 'value_error', 'a ticket takes no content; leave out text and content_base64')]
}

/** A ticket in a tool's answer (mcp 10). */
export const ticketValue = ({ url, expiresAt }: IssuedTicket) => ({
  upload_url: url,
  method: 'POST',
  field: 'file',
  expires_at: new Date(expiresAt).toISOString(),
  curl: `curl -F file=@<path> '${url}'`,
})
