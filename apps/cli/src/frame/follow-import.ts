import { features } from '@specboard/contract'
import { send } from './send.ts'
import type { KeyedTarget } from './target.ts'

const { stream_my_events } = features.me

/** The progress of an import, according to the caller's stream (exchange 1.3). */
export interface ImportStep {
  readonly phase: 'reading' | 'writing'
  readonly done: number
  readonly total: number
}

/**
 * Follows the imports of the caller, and reports the progress of a file's import. Without a stream the import reports
 * nothing.
 * @returns the function that stops it
 */
export async function followImport(
  service: KeyedTarget,
  filename: string,
  show: (step: ImportStep) => void,
): Promise<() => void> {
  const ending = new AbortController()
  const answer = await send(
    service,
    stream_my_events,
    { params: {}, query: {}, body: undefined },
    { signal: ending.signal, live: true },
  ).catch(() => undefined)
  if (answer !== undefined) void showSteps(answer, filename, show).catch(() => {})
  return () => ending.abort()
}

async function showSteps({ body }: Response, filename: string, show: (step: ImportStep) => void): Promise<void> {
  for await (const { event, data } of messagesOf(body!)) {
    if (event !== 'import') continue
    const step = JSON.parse(data) as ImportStep & { readonly filename: string }
    if (step.filename === filename) show(step)
  }
}

/** The messages of an event stream, each with its name and its data. */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const lines = block.split('\n')
      const field = (name: string) =>
        lines
          .find(line => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim()
      const data = field('data')
      if (data !== undefined) yield { event: field('event') ?? 'message', data }
    }
  }
}
