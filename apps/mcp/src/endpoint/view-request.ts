import type { ViewRequest } from '../tools/view.ts'

/** The view that a request asks for: by query, or by headers where a client cannot set a query (mcp 6). */
export function viewRequestOf(query: URLSearchParams, headers: Headers): ViewRequest {
  const read = (parameter: string, header: string) => query.get(parameter) ?? headers.get(header) ?? undefined
  return {
    toolsets: read('toolsets', 'x-mcp-toolsets'),
    tools: read('tools', 'x-mcp-tools'),
    exclude: read('exclude', 'x-mcp-exclude-tools'),
    readonly: read('readonly', 'x-mcp-readonly'),
    boardId: read('board_id', 'x-mcp-board'),
    schemas: read('schemas', 'x-mcp-schemas'),
    answers: read('answers', 'x-mcp-answers'),
    confirm: read('confirm', 'x-mcp-confirm'),
  }
}
