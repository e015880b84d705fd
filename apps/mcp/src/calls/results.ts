import type { CallToolResult } from '@modelcontextprotocol/server'
import { maskKeys } from '@specboard/contract'
import type { DomainError, NextAction } from '@specboard/domain'
import { withUnseenSpelledOut, withUnseenSpelledOutWithin } from '../unseen.ts'
import type { ValueText } from './ceiling.ts'
import type { JsonObject } from './lean-value.ts'
import type { ArgumentIssue } from './read-arguments.ts'

/** A refused call in a tool's answer (mcp 9.4). */
export interface ErrorValue {
  readonly status: number
  /** The API's `detail`, unchanged. */
  readonly detail: unknown
  readonly next_actions?: readonly NextAction[]
}

/** The outcome of a tool call. */
export type Outcome =
  | { readonly ok: true; readonly written: ValueText; readonly content?: CallToolResult['content'] }
  | { readonly ok: false; readonly error: ErrorValue | JsonObject }

/** A success: the value as text and as structured content, then content that is not JSON. */
export const succeeded = (written: ValueText, content?: CallToolResult['content']): Outcome => ({
  ok: true,
  written,
  ...(content !== undefined && { content }),
})

/** A refusal of invalid arguments: one item for each fault. */
export const invalidArguments = (items: readonly ArgumentIssue[]): Outcome => ({
  ok: false,
  error: masked({ status: 422, detail: items }),
})

/** A refusal by the service, with the actions that resolve it. */
export function refused(error: DomainError, next: readonly NextAction[] = []): Outcome {
  const { retry_after: _, allow: __, ...detail } = error.detail
  return {
    ok: false,
    error: masked({ status: error.status, detail, ...(next.length > 0 && { next_actions: next }) }),
  }
}

/** An error in which keys repeated from the call are masked (trust 3). */
function masked(error: ErrorValue): ErrorValue {
  const text = JSON.stringify(error)
  const maskedText = maskKeys(text)
  return maskedText === text ? error : (JSON.parse(maskedText) as ErrorValue)
}

/** A fault of the service itself: the answer reveals nothing, and the request id leads to the log. */
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

/**
 * An outcome as an MCP result.
 * @param isStructured whether the value is also sent as structured content, which clients may show in addition to the
 * text (crew 8.6)
 */
export function toolResult(outcome: Outcome, isStructured = true): CallToolResult {
  if (!outcome.ok) return { content: [textOf(JSON.stringify(outcome.error))], isError: true }
  const { written, content = [] } = outcome
  const text = textOf(written.text)
  return { content: [text, ...content], ...(isStructured && { structuredContent: shownValue(written, text) }) }
}

/** The value for clients that show it in place of the text: they serialise it themselves, without escapes (walls 9). */
const shownValue = ({ value, text }: ValueText, content: { readonly text: string }): JsonObject =>
  content.text === text ? value : (withUnseenSpelledOutWithin(value) as JsonObject)

/** JSON as text, in which invisible characters are written as JSON escapes: it means the same (walls 9). */
const textOf = (json: string) => ({ type: 'text' as const, text: withUnseenSpelledOut(json) })
