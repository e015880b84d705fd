import type { RequestId } from '@modelcontextprotocol/server'
import { maskKeys } from '@specboard/contract'
import { DomainError } from '@specboard/domain'

/** A refusal before JSON-RPC is involved: status and `detail`, as over the API. */
export function refusal(error: DomainError, headers: Readonly<Record<string, string>> = {}): Response {
  const { retry_after: _, allow: __, ...detail } = error.detail
  return new Response(maskKeys(JSON.stringify({ detail })), {
    status: error.status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** A JSON-RPC error with an HTTP status; has the id of the request if it could be read. */
export const rpcError = (
  status: number,
  code: number,
  message: string,
  id: RequestId | null = null,
  data?: Readonly<Record<string, unknown>>,
): Response =>
  new Response(
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      error: { code, message: maskKeys(message), ...(data !== undefined && { data }) },
    }),
    {
      status,
      headers: { 'content-type': 'application/json' },
    },
  )

/** 405: the path accepts POST; GET and DELETE only within a session. */
export const methodNotAllowed = (): Response =>
  refusal(new DomainError('METHOD_NOT_ALLOWED', 'This path takes POST; GET and DELETE need a valid Mcp-Session-Id.'), {
    allow: 'POST',
  })
