/**
 * The address of a path of a service, which may itself be reached below a path of its host (SPECBOARD_BASE_PATH).
 *
 * @example
 * addressAt('https://example.com/board', '/mcp').href // 'https://example.com/board/mcp'
 */
export const addressAt = (url: string, path: string): URL =>
  new URL((url.endsWith('/') ? url.slice(0, -1) : url) + path)
