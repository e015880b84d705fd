type MediaType = 'application/json' | 'text/event-stream'

/**
 * Whether a caller accepts only this type. A request without an `Accept` header, or with one that accepts any type,
 * accepts both types (mcp 2.2).
 */
export function takesOnly(request: Request, type: MediaType): boolean {
  const accept = request.headers.get('accept') ?? ''
  const other = type === 'application/json' ? 'text/event-stream' : 'application/json'
  return accept.includes(type) && !accept.includes(other) && !accept.includes('*/*')
}
