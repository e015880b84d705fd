import type { CallToolResult } from '@modelcontextprotocol/server'
import type { DomainError } from '@specboard/domain'
import type { Written } from './ceiling.ts'
import type { JsonObject } from './lean-value.ts'
import type { NextAction } from './next-actions.ts'
import type { ArgumentIssue } from './read-arguments.ts'

/** A refused call as a tool says it (mcp 9.4). */
export interface ErrorValue {
  readonly status: number
  /** The API's `detail`, unchanged. */
  readonly detail: unknown
  readonly next_actions?: readonly NextAction[]
}

/** What a tool call came to. */
export type Outcome =
  | { readonly ok: true; readonly written: Written; readonly content?: CallToolResult['content'] }
  | { readonly ok: false; readonly error: ErrorValue | JsonObject }

/** A success: the same value as text and as structured content, then what is no JSON. */
export const succeeded = (written: Written, content?: CallToolResult['content']): Outcome => ({
  ok: true,
  written,
  ...(content !== undefined && { content }),
})

/** Arguments that no schema takes: one item for each thing wrong. */
export const invalidArguments = (items: readonly ArgumentIssue[]): Outcome => ({
  ok: false,
  error: { status: 422, detail: items },
})

/** A refusal of the service, with what can be done about it. */
export function refused(error: DomainError, next: readonly NextAction[] = []): Outcome {
  const { retry_after: _, allow: __, ...detail } = error.detail
  return { ok: false, error: { status: error.status, detail, ...(next.length > 0 && { next_actions: next }) } }
}

/** A fault of the service itself: nothing leaks, the request id ties it to the log. */
export const failed = (requestId: string): Outcome => ({
  ok: false,
  error: {
    status: 500,
    detail: {
      error: 'INTERNAL_ERROR',
      message: `The service failed; nothing was changed. Tell the operator the request id ${requestId}.`,
      request_id: requestId,
    },
  },
})

/** An outcome as MCP says it. */
export function toolResult(outcome: Outcome): CallToolResult {
  if (!outcome.ok) return { content: [{ type: 'text', text: JSON.stringify(outcome.error) }], isError: true }
  const { written, content = [] } = outcome
  return { content: [{ type: 'text', text: written.text }, ...content], structuredContent: written.value }
}
