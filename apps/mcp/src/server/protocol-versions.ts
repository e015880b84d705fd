/** The supported protocol revisions: one without a handshake, three with one (mcp 1.1). */
export const protocolVersions = {
  modern: ['2026-07-28'],
  legacy: ['2025-11-25', '2025-06-18', '2025-03-26'],
} as const
