/** The text of a report, and of an XML one before it is parsed, in linear time. */

const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** The text of a file in the encoding of its byte order mark or XML declaration; by default UTF-8. */
export function textOf(bytes: Uint8Array): string {
  const marked = marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked !== undefined) return new TextDecoder(marked[1]).decode(bytes)
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 300))
  return decoderFor(declaredIn(head) ?? 'utf-8').decode(bytes)
}

/** The encoding in the XML declaration at the start of a text. */
function declaredIn(head: string): string | undefined {
  const start = head.trimStart()
  const declaration = start.startsWith('<?xml') ? start.slice(0, Math.max(0, start.indexOf('?>'))) : ''
  const at = declaration.indexOf('encoding')
  return at === -1 ? undefined : declaration.slice(at).split(/["']/, 2)[1]
}

/** A declaration of UTF-16 that could be read byte by byte is wrong: .NET writes it into its strings. */
function decoderFor(label: string) {
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding.startsWith('utf-16') ? new TextDecoder() : decoder
  } catch {
    return new TextDecoder()
  }
}

/** Whether XML forbids a character: control characters except tab and line ends, and two noncharacters. */
const isForbidden = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) ||
  code === 0xfffe ||
  code === 0xffff ||
  (code >= 0xd800 && code <= 0xdfff) ||
  code > 0x10ffff

const reference = /&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));/g

/** A text without characters that XML forbids, raw or as a reference: runners write colour codes (evidence 2). */
export function withoutForbidden(text: string): string {
  const plain = text.includes('&#')
    ? text.replaceAll(reference, (whole, hex?: string, digits?: string) =>
        isForbidden(hex === undefined ? Number(digits) : Number.parseInt(hex, 16)) ? '' : whole,
      )
    : text
  const pieces: string[] = []
  let from = 0
  for (let at = 0; at < plain.length; at++) {
    const code = plain.charCodeAt(at)
    if (code >= 0x20 && code < 0xfffe) continue
    if (!isForbidden(code)) continue
    pieces.push(plain.slice(from, at))
    from = at + 1
  }
  return from === 0 ? plain : pieces.join('') + plain.slice(from)
}

const doctype = '<!doctype'

/** Whether a document has a doctype before its root: such a file is not read (evidence 2). */
export function declaresType(text: string): boolean {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at++
    if (text.slice(at, at + doctype.length).toLowerCase() === doctype) return true
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : undefined
    const ends = end === undefined ? -1 : text.indexOf(end, at)
    if (end === undefined || ends === -1) return false
    at = ends + end.length
  }
}
