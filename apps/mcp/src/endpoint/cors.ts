/** Headers of the answer to a preflight; the application decides which origins get here. */
export const preflight: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, accept, x-api-key, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id, x-mcp-toolsets, x-mcp-tools, x-mcp-exclude-tools, x-mcp-readonly, x-mcp-board, x-mcp-schemas, x-mcp-answers, x-mcp-confirm',
  'access-control-max-age': '600',
}

/** Lets the pages of an allowed origin read an answer. */
export const corsHeaders = (origin: string): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after, x-request-id',
  vary: 'Origin',
})
