import type { BoardEvent as BoardEventSchema } from '@specboard/contract'
import { EventSource } from 'eventsource'
import type { z } from 'zod'
import { basePath, serviceUrl } from '../base-path.ts'
import { fetchInSession } from './session-half.ts'

export type BoardEvent = z.output<typeof BoardEventSchema>

/** The progress of the person's own import (exchange 1). */
export interface ImportProgress {
  readonly import_id: string
  readonly filename: string
  readonly phase: 'reading' | 'writing'
  readonly done: number
  readonly total: number
}

/** The messages of the stream, which the tabs of a browser also pass to one another. */
export type StreamMessage =
  | { readonly kind: 'event'; readonly event: BoardEvent }
  | { readonly kind: 'boards' }
  | { readonly kind: 'inbox'; readonly waiting: number }
  | { readonly kind: 'import'; readonly progress: ImportProgress }
  | { readonly kind: 'connected'; readonly isResumed: boolean }
  | { readonly kind: 'lost' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'asks' }

/** A message with its position in the stream, from which the stream can be resumed without a gap. */
interface PositionedMessage {
  readonly message: StreamMessage
  readonly cursor: string
}

const streamPath = '/api/v1/me/events/stream'

/**
 * The name of the channel and the lock that the tabs of one service share: other services may be below other paths of
 * the host.
 */
const shared = `specboard-events${basePath}`

/** The current position in the stream. */
export async function streamPosition(): Promise<string> {
  const response = await fetchInSession(streamPath, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${streamPath} answered ${response.status}`)
  const { cursor } = (await response.json()) as { readonly cursor: string }
  return cursor
}

/** How long to wait before reconnecting, ms; the browser itself reconnects while the service answers. */
const againMs = 1_000

/**
 * Follows everything that happens on the boards that the person sees, with one connection for all tabs of the browser,
 * because a browser opens at most six to a host. One tab holds the connection, chosen by the browser's lock; the others
 * listen to that tab on a channel. When it is closed, the next tab resumes from the same position.
 * @param from the position before everything that the page has read; '' if it is not known, which means from now on
 * @returns stops it
 */
export function followEvents(from: string, onMessage: (message: StreamMessage) => void): () => void {
  const channel = new BroadcastChannel(shared)
  const ended = new AbortController()
  let cursor = from
  let isLeading = false
  let isConnected = false
  /** The last inbox message of the stream, for tabs that open later. */
  let inbox: StreamMessage | undefined

  const take = ({ message, cursor: at }: PositionedMessage): void => {
    if (at !== '') cursor = at
    onMessage(message)
  }
  const tell = (message: StreamMessage): void => {
    const envelope: PositionedMessage = { message, cursor }
    channel.postMessage(envelope)
    take(envelope)
  }
  channel.onmessage = ({ data }: MessageEvent<PositionedMessage>) => {
    if (data.message.kind !== 'asks') take(data)
    else if (isLeading)
      for (const message of [stateOf(isConnected), ...(inbox === undefined ? [] : [inbox])])
        channel.postMessage({ message, cursor } satisfies PositionedMessage)
  }
  channel.postMessage({ message: { kind: 'asks' }, cursor: '' } satisfies PositionedMessage)

  void leading(ended.signal, async () => {
    // The lock may be granted just as the page is left.
    if (ended.signal.aborted) return
    isLeading = true
    await lead({
      signal: ended.signal,
      cursor: () => cursor,
      onCursor: at => {
        cursor = at
      },
      onMessage: message => {
        if (message.kind === 'inbox') inbox = message
        if (message.kind === 'connected' || message.kind === 'lost') isConnected = message.kind === 'connected'
        tell(message)
      },
    })
  })
  return () => {
    ended.abort()
    channel.close()
  }
}

const stateOf = (isConnected: boolean): StreamMessage =>
  isConnected ? { kind: 'connected', isResumed: true } : { kind: 'lost' }

/**
 * Runs a function while this tab leads; at once if the browser has no locks (on a page without TLS that is not on
 * loopback).
 */
async function leading(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return run()
  await navigator.locks.request(shared, { signal }, run).catch(error => {
    if (!signal.aborted) throw error
  })
}

interface Leading {
  readonly signal: AbortSignal
  cursor(): string
  onCursor(cursor: string): void
  onMessage(message: StreamMessage): void
}

/** Holds the connection until the signal aborts. */
function lead({ signal, cursor, onCursor, onMessage }: Leading): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let source: EventSource | undefined
  let again: ReturnType<typeof setTimeout> | undefined

  const hear = (name: string, messageOf: (data: unknown) => StreamMessage): void =>
    source?.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== '') onCursor(lastEventId)
      onMessage(messageOf(JSON.parse(data)))
    })

  function connect(): void {
    const after = cursor()
    const address = `${streamPath}${after === '' ? '' : `?after=${encodeURIComponent(after)}`}`
    // The browser's own EventSource sends no headers.
    source = new EventSource(serviceUrl + address, { fetch: fetchInSession })
    source.onopen = () => onMessage({ kind: 'connected', isResumed: after !== '' })
    source.onerror = ({ code }) => {
      onMessage({ kind: 'lost' })
      if (code === 401) return onMessage({ kind: 'ended' })
      if (source?.readyState !== EventSource.CLOSED) return
      // The service refused: its cursor may be too old. Start over; listeners read everything again at "connected".
      onCursor('')
      again = setTimeout(connect, againMs)
    }
    hear('board.event', event => ({ kind: 'event', event: event as BoardEvent }))
    hear('boards', () => ({ kind: 'boards' }))
    hear('inbox', data => {
      const { counts } = data as { readonly counts: Readonly<Record<string, number>> }
      return { kind: 'inbox', waiting: Object.values(counts).reduce((sum, count) => sum + count, 0) }
    })
    hear('import', progress => ({ kind: 'import', progress: progress as ImportProgress }))
  }

  connect()
  signal.addEventListener('abort', () => {
    clearTimeout(again)
    source?.close()
    resolve()
  })
  return promise
}
