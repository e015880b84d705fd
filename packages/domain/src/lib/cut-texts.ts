/** A value with all texts at any depth truncated, each with a mark of how many characters are missing. */
export function cutTexts(value: unknown, length: number): unknown {
  if (typeof value === 'string') return cutText(value, length)
  if (Array.isArray(value)) return value.map(item => cutTexts(item, length))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, length)]))
}

/** A text truncated to a length, never within a character; `…[+12]` says that 12 characters follow (mcp 9.3). */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const characters = [...text]
  const rest = characters.length - length
  return rest > 0 ? `${characters.slice(0, length).join('')}…[+${rest}]` : text
}
