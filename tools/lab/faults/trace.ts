import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** The events of a trace, in order: changes of files and folders, their syncs, and what was sent to clients. */
export type TraceEvent =
  | { readonly kind: 'open'; readonly path: string; readonly truncates: boolean }
  | { readonly kind: 'write'; readonly path: string; readonly at: number | undefined; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'rename' | 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlink' | 'mkdir'; readonly path: string }
  /** A sync covers what was written before it began, once it has ended. */
  | { readonly kind: 'syncBegins' | 'syncEnds'; readonly path: string; readonly thread: string }
  | { readonly kind: 'sent'; readonly text: string }

/** The calls that the events are read from. */
export const tracedCalls = [
  ...['openat', 'pwrite64', 'write', 'writev', 'sendto', 'ftruncate'],
  ...['fsync', 'fdatasync', 'rename', 'link', 'unlink', 'mkdir'],
]

const inHex = /\\x([0-9a-f]{2})/g

/** The arguments of a call as `strace -y -xx` prints them: numbers unchanged, texts and paths in hex. */
const quoted = /"((?:\\x[0-9a-f]{2})*)"/g

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/** Every text of a call, one after the other. */
const textsOf = (line: string): Buffer[] => [...line.matchAll(quoted)].map(([, hex]) => bytesOf(hex!))

/** The path behind the first descriptor of a call. */
const descriptorPath = (line: string): string =>
  (/\(\d+<([^>]*)>/.exec(line)?.[1] ?? '').replaceAll(inHex, (_, hex: string) =>
    String.fromCharCode(Number(`0x${hex}`)),
  )

/** Reads a trace that strace wrote with `-f -y -xx`; calls that failed are left out. */
export async function* traceEvents(file: string): AsyncGenerator<TraceEvent> {
  const syncing = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [thread = ''] = line.split(' ', 1)
    const [, resumed, call = resumed] = /(?:<\.\.\. (\w+) resumed>| (\w+)\()/.exec(line.slice(0, 64)) ?? []
    if (call === undefined || / = -1 /.test(line.slice(-64))) continue
    const isSync = call === 'fsync' || call === 'fdatasync'
    if (resumed === undefined) {
      if (isSync) {
        const path = descriptorPath(line)
        syncing.set(thread, path)
        yield { kind: 'syncBegins', path, thread }
      } else yield* changeOf(call, line)
    }
    const path = syncing.get(thread)
    if (isSync && path !== undefined && / = 0$/.test(line)) {
      syncing.delete(thread)
      yield { kind: 'syncEnds', path, thread }
    }
  }
}

function* changeOf(call: string, line: string): Generator<TraceEvent> {
  const path = descriptorPath(line)
  switch (call) {
    case 'openat':
      if (line.includes('O_CREAT')) yield { kind: 'open', path: named(line, 0), truncates: line.includes('O_TRUNC') }
      break
    case 'pwrite64':
      yield { kind: 'write', path, at: Number(/, (\d+)(?:\)| <unfinished)/.exec(line)![1]), bytes: textsOf(line)[0]! }
      break
    case 'ftruncate':
      yield { kind: 'truncate', path, size: Number(/, (\d+)(?:\)| <unfinished)/.exec(line)![1]) }
      break
    case 'rename':
    case 'link':
      yield { kind: call, path: named(line, 0), to: named(line, 1) }
      break
    case 'unlink':
    case 'mkdir':
      yield { kind: call, path: named(line, 0) }
      break
    default: {
      const bytes = Buffer.concat(textsOf(line))
      if (path.startsWith('/')) yield { kind: 'write', path, at: undefined, bytes }
      else if (/^(?:socket|TCP)/.test(path)) yield { kind: 'sent', text: bytes.toString('utf8') }
    }
  }
}

const named = (line: string, index: number): string => String(textsOf(line)[index] ?? '')
