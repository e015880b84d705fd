/** Reads what a forge sent (git 2). Pure. */
import { type ForgeEvent, type ReportedRepository, UnreadableEvent } from '../reported.ts'
import { actionOf, isTooDeep, readEvent, repositoryOf } from './read.ts'

type Forge = Parameters<typeof readEvent>[0]

/** An event as it arrived, or its stored JSON text. */
export type SentEvent = { readonly bytes: Uint8Array; readonly isForm: boolean } | { readonly text: string }

/** What to read, and the forge's name for its kind. */
export interface EventToRead {
  readonly forge: Forge
  readonly name: string
  readonly sent: SentEvent
}

/** The contents of an event. */
export interface EventRead {
  /** Its JSON text. */
  readonly text: string
  readonly action: string | null
  readonly about: ReportedRepository
  /** The parsed event; undefined if it lacks required members. */
  readonly event: ForgeEvent | undefined
  /** What is missing. */
  readonly fault: string | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(body: SentEvent): string {
  if ('text' in body) return body.text
  const text = utf8.decode(body.bytes)
  return body.isForm ? (new URLSearchParams(text).get('payload') ?? '') : text
}

/** The JSON object in a text; undefined if it is not an object, or nested too deep. */
function objectIn(text: string): object | undefined {
  if (isTooDeep(text)) return undefined
  const payload: unknown = JSON.parse(text)
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : undefined
}

/** The contents of an event; undefined if it is not a JSON object, or nested too deep. */
export function readSent({ forge, name, sent }: EventToRead): EventRead | undefined {
  try {
    const text = textOf(sent)
    const payload = objectIn(text)
    if (payload === undefined) return undefined
    const contents = { text, action: actionOf(payload), about: repositoryOf(forge, payload) }
    return { ...contents, ...eventOf(forge, name, payload) }
  } catch {
    // Bytes that are not text, or text that is not JSON.
    return undefined
  }
}

function eventOf(forge: Forge, name: string, payload: object): Pick<EventRead, 'event' | 'fault'> {
  try {
    return { event: readEvent(forge, name, payload), fault: undefined }
  } catch (error) {
    if (error instanceof UnreadableEvent) return { event: undefined, fault: error.message }
    throw error
  }
}
