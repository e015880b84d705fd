import { ViewError, type ViewRequest } from '../tools/view.ts'

/**
 * The view that a request asks for: by query, or by headers where a client cannot set a query (mcp 6). A list that the
 * query has several times counts whole, as in every query (general Wire).
 * @throws ViewError when the query has a single value several times
 */
export function viewRequestOf(query: URLSearchParams, headers: Headers): ViewRequest {
  const inHeader = (header: string) => headers.get(header) ?? undefined
  const list = (parameter: string, header: string) =>
    query.has(parameter) ? query.getAll(parameter).join(',') : inHeader(header)
  const single = (parameter: string, header: string) => {
    const [value, ...others] = query.getAll(parameter)
    if (others.length > 0) throw new ViewError(`${parameter} has one value, and the address has it several times.`)
    return value ?? inHeader(header)
  }
  return {
    toolsets: list('toolsets', 'x-mcp-toolsets'),
    tools: list('tools', 'x-mcp-tools'),
    exclude: list('exclude', 'x-mcp-exclude-tools'),
    readonly: single('readonly', 'x-mcp-readonly'),
    boardId: single('board_id', 'x-mcp-board'),
    schemas: single('schemas', 'x-mcp-schemas'),
    answers: single('answers', 'x-mcp-answers'),
    confirm: single('confirm', 'x-mcp-confirm'),
  }
}
