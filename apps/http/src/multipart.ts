/** A body that does not follow RFC 7578; the message says where. */
export class MalformedMultipart extends Error {}

/** One part of a multipart body; its bytes are read once, while they arrive. */
export interface Part {
  /** By lower-case name, as they came. */
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: AsyncGenerator<Uint8Array>
}

/** The most bytes of a line of a part's headers, and the most lines. */
const maxLineBytes = 8 << 10
const maxLines = 32

const lineBreak = Buffer.from('\r\n')

/**
 * Reads a multipart body part by part, never more of it in memory than came at once. What was not read of a
 * part is skipped when the next one is asked for.
 *
 * No parser at hand tells what an attachment needs to know: whether a part declared its type at all, and that
 * one with an empty file name is a file.
 * @throws MalformedMultipart when the body ends early or a part has no proper headers
 */
export async function* readParts(source: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const input = new Input(source, Buffer.from(`\r\n--${boundary}`))
  await input.skipPart()
  while (!(await input.isLast())) {
    yield { headers: await readHeaders(input), bytes: input.part() }
    await input.skipPart()
  }
}

async function readHeaders(input: Input): Promise<Map<string, string>> {
  const headers = new Map<string, string>()
  for (let lines = 0; lines <= maxLines; lines++) {
    const line = await input.line()
    if (line === '') return headers
    const colon = line.indexOf(':')
    if (colon < 1) throw new MalformedMultipart('A line of the headers of a part has no name.')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  throw new MalformedMultipart('A part has too many headers.')
}

/** The bytes that came and were not read yet. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  // The first delimiter may stand at the very beginning, without the line break of the later ones.
  #held: Buffer = lineBreak
  #inPart = true

  constructor(source: AsyncIterable<Uint8Array>, delimiter: Buffer) {
    this.#source = source[Symbol.asyncIterator]()
    this.#delimiter = delimiter
  }

  /** The bytes up to the next delimiter, which is consumed. */
  async *part(): AsyncGenerator<Uint8Array> {
    const delimiter = this.#delimiter
    for (;;) {
      const end = this.#held.indexOf(delimiter)
      if (end !== -1) {
        const last = this.#consume(end)
        this.#consume(delimiter.length)
        this.#inPart = false
        if (last.length > 0) yield last
        return
      }
      const sure = this.#held.length - delimiter.length + 1
      if (sure > 0) yield this.#consume(sure)
      await this.#more()
    }
  }

  /** Reads over what is left of a part. */
  async skipPart(): Promise<void> {
    if (!this.#inPart) return
    const rest = this.part()
    while (!(await rest.next()).done) {
      // Nobody asked for it.
    }
  }

  /** After a delimiter: whether it ends the body; else its line is consumed and a part begins. */
  async isLast(): Promise<boolean> {
    while (this.#held.length < 2) await this.#more()
    if (this.#held.subarray(0, 2).toString('latin1') === '--') return true
    if ((await this.line()).trim() !== '') throw new MalformedMultipart('A boundary stands on a line of its own.')
    this.#inPart = true
    return false
  }

  /** A line of text without its end, which is consumed. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(lineBreak)
      if (end !== -1) {
        const line = this.#consume(end).toString('utf8')
        this.#consume(lineBreak.length)
        return line
      }
      if (this.#held.length > maxLineBytes) throw new MalformedMultipart('A line of the headers of a part is too long.')
      await this.#more()
    }
  }

  #consume(length: number): Buffer {
    const bytes = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return bytes
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next().catch(cause => {
      throw new MalformedMultipart('The body broke off.', { cause })
    })
    if (done) throw new MalformedMultipart('The body ends before its last boundary.')
    this.#held = Buffer.concat([this.#held, value])
  }
}

const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/gs

/** The parameters of a header's value, by lower-case name; `name*` (RFC 5987) stands under its name. */
export function parametersOf(value: string): Map<string, string> {
  const found = [...value.matchAll(parameter)].map(
    ([, name = '', quoted, token = '']) =>
      [name.toLowerCase(), quoted === undefined ? token : quoted.replaceAll(/\\(["\\])/g, '$1')] as const,
  )
  const parameters = new Map(found)
  for (const [name, text] of found) {
    if (!name.endsWith('*')) continue
    const decoded = decodedExtended(text)
    if (decoded !== undefined) parameters.set(name.slice(0, -1), decoded)
  }
  return parameters
}

function decodedExtended(text: string): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/is.exec(text)?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
