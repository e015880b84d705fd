import type { Readable } from 'node:stream'

/** Maximum bytes of a message over stdio (mcp 4.3). */
const maxMessageBytes = 16 << 20

/** The lines of a stream; a line that is too long is yielded as null and not buffered. */
export async function* linesOf(stream: Readable, maxBytes = maxMessageBytes): AsyncGenerator<string | null> {
  let parts: Buffer[] = []
  let length = 0
  const line = (): string | null => {
    const text = length > maxBytes ? null : Buffer.concat(parts).toString('utf8').trimEnd()
    parts = []
    length = 0
    return text
  }
  for await (const chunk of stream) {
    let rest = chunk as Buffer
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      keep(rest.subarray(0, end))
      yield line()
      rest = rest.subarray(end + 1)
    }
    keep(rest)
  }
  if (length > 0) yield line()

  function keep(part: Buffer): void {
    length += part.length
    if (length <= maxBytes) parts.push(part)
    else parts = []
  }
}
