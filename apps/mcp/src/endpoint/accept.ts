type MediaType = 'application/json' | 'text/event-stream'

/** Whether a caller takes nothing but one type; none named, or any, takes both (mcp 2.2). */
export function takesOnly(request: Request, type: MediaType): boolean {
  const accept = request.headers.get('accept') ?? ''
  const other = type === 'application/json' ? 'text/event-stream' : 'application/json'
  return accept.includes(type) && !accept.includes(other) && !accept.includes('*/*')
}
