/** A file of a zip. */
export interface ZippedFile {
  /** Its path, with slashes. */
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The most files of a zip without the extension for more, which this one does not write. */
export const mostZipped = 65_535

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 1 ? 0xed_b8_83_20 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** The checksum of a zip's entry. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xff_ff_ff_ff
  for (const byte of bytes) sum = remainders[(sum ^ byte) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}

const signatures = { file: 0x04_03_4b_50, entry: 0x02_01_4b_50, end: 0x06_05_4b_50 }

/** Names are UTF-8. */
const flags = 1 << 11

/** The first day that a zip can name: the times of files say nothing about a backlog. */
const firstDay = 0x00_21_00_00

/** What both headers of a file say alike. */
function factsOf({ path, bytes }: ZippedFile): readonly [number, 2 | 4][] {
  const name = new TextEncoder().encode(path).length
  return [
    [20, 2],
    [flags, 2],
    [0, 2],
    [firstDay, 4],
    [crc32(bytes), 4],
    [bytes.length, 4],
    [bytes.length, 4],
    [name, 2],
    [0, 2],
  ]
}

/** Numbers in the order of a zip: the lowest byte first. */
function numbers(values: readonly (readonly [number, 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [, size]) => sum + size, 0)))
  let at = 0
  for (const [value, size] of values) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return new Uint8Array(view.buffer)
}

/** A zip of files as they are, without compression: it goes no farther than to the service. */
export function zipOf(files: readonly ZippedFile[]): Blob {
  const contents: BlobPart[] = []
  const table: BlobPart[] = []
  let offset = 0
  let tableBytes = 0
  for (const file of files) {
    const name = new TextEncoder().encode(file.path)
    const facts = factsOf(file)
    const header = numbers([[signatures.file, 4], ...facts])
    contents.push(header, name, file.bytes)
    const entry = numbers([[signatures.entry, 4], [20, 2], ...facts, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]])
    table.push(entry, name)
    offset += header.length + name.length + file.bytes.length
    tableBytes += entry.length + name.length
  }
  const end = numbers([
    [signatures.end, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [tableBytes, 4],
    [offset, 4],
    [0, 2],
  ])
  return new Blob([...contents, ...table, end], { type: 'application/zip' })
}
