import type { AnyOperation } from '@specboard/contract'
import type { Origin } from '../../schema/tables.ts'
import type { NextAction } from '../advice.ts'
import type { Confirmation } from '../confirmation.ts'
import type { Caller, Context } from '../context.ts'
import type { AnyInput, FileAnswer, Following, StreamAnswer } from '../implement.ts'
import type { DigestedFile } from './digested-file.ts'

/** What identifies a repeated POST (general, Wire). */
export interface IdempotencyKey {
  readonly key: string
  /** The hash of the request's body, the same in whatever order its members come. */
  readonly bodyHash: string
  /** The file of an upload, whose hash replaces the body's. */
  readonly file?: DigestedFile | undefined
  /** How long the answer is given again, ms, and only while what it tells still stands (crew 3); 24 h and always unless said. */
  readonly whileItStands?: number | undefined
}

/** A call of an operation with parsed input. */
export interface Call {
  readonly operation: AnyOperation
  readonly input: AnyInput
  /** Null only for public operations. */
  readonly caller: Caller | null
  /** Tags, one of which must be the record's (`If-Match`); `*` matches any. */
  readonly ifMatch?: readonly string[] | undefined
  /** The `rev` that the record must have (crew 2.2). */
  readonly expectedRev?: number | undefined
  readonly idempotency?: IdempotencyKey | undefined
  /**
   * Returns the signal that fires when the caller disconnects, for the few implementations that need it. It is not a
   * getter of an object literal: each such literal has a hidden class of its own, which retains the request until the
   * engine's next full garbage collection.
   */
  readonly gone?: (() => AbortSignal) | undefined
  /** Rolls a write back when it fires before the commit; the call then throws the signal's reason. */
  readonly abort?: AbortSignal | undefined
  /** The only board that the call may address; records of other boards are not found. */
  readonly within?: string | undefined
  /** How the caller wants an event stream; as one answer by default. */
  readonly following?: Following | undefined
  /** Whether the person at the client confirms the call first, and what it agreed to; unasked where it is undefined. */
  readonly confirmation?: Confirmation | undefined
  /** The door that the call came through; HTTP by default. */
  readonly origin?: Origin | undefined
  /** Whether the caller takes the JSON body as text too (`Answer.json`), which saves parsing a large one. */
  readonly asText?: boolean | undefined
  /** What the caller makes of a large body; where the body is read in a thread, it is made there and comes as text. */
  readonly reduce?: Reduction | undefined
}

/** Something small to be made of the body of an answer, in the thread that has read it. */
export interface Reduction {
  /** The address of a module whose default export is a `Reduce`. */
  readonly module: string
  /** What it is told, as data that can be handed to a thread. */
  readonly told: unknown
}

/** Makes something small of the answer of a call; the result is handed over as JSON. */
export type Reduce = (answer: Answer, call: Pick<Call, 'operation' | 'input'>, told: unknown) => unknown

/** The answer of an operation, before an adapter formats it. */
export interface Answer {
  readonly status: number
  /** The JSON body; undefined for files, streams and 204. */
  readonly body?: unknown
  /** The JSON body, or what was reduced of it, as UTF-8 text in place of `body`; only for calls with `asText` or `reduce`. */
  readonly json?: Uint8Array<ArrayBuffer>
  /** The entity tag, where `json` is in place of `body`. */
  readonly etag?: string
  /** The length of the whole list. */
  readonly total?: number
  /** Whether a call with equal arguments has answered this before, and this one wrote nothing (crew 3). */
  readonly repeated?: true
  /** Who has the next part, of a call that ended somebody's (crew 4.1). */
  readonly next?: NextPart
  /** What the caller should know although the call was made. */
  readonly warnings?: readonly string[]
  /** The members of the answer that are empty because the caller may not read them (crew 9.11). */
  readonly hidden?: readonly string[]
  readonly file?: FileAnswer
  readonly stream?: StreamAnswer
}

/** Who has the next part of a record, and the call of it where that is the caller (crew 4.1). */
export interface NextPart {
  readonly next: string
  readonly actions: readonly NextAction[]
}

/** Finds who has the next part after a call; the composition root supplies it. */
export interface NextPartOf {
  readonly mayHandOver: (call: Pick<Call, 'operation'>) => boolean
  readonly nextPart: (ctx: Context, call: Pick<Call, 'operation' | 'input'>, body: unknown) => Promise<NextPart | null>
}

/** The arguments of a call by name, of path, query and body together. */
export const argumentsOf = ({ params, query, body }: AnyInput): Readonly<Record<string, unknown>> => ({
  ...(body as object | undefined),
  ...query,
  ...params,
})
