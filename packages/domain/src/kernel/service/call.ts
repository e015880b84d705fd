import type { AnyOperation } from '@specboard/contract'
import type { Origin } from '../../schema/tables.ts'
import type { Confirmation } from '../confirmation.ts'
import type { Caller, Context } from '../context.ts'
import type { DomainError } from '../errors.ts'
import type { AnyInput, FileAnswer, Following, StreamAnswer } from '../implement.ts'
import type { NextAction } from '../next-action.ts'
import type { DigestedFile } from './digested-file.ts'

/** What identifies a repeated POST (general, Wire). */
export interface IdempotencyKey {
  readonly key: string
  /** The hash of the request's body, independent of the order of its members. */
  readonly bodyHash: string
  /** The file of an upload, whose hash replaces the body's. */
  readonly file?: DigestedFile | undefined
  /**
   * How long the answer is replayed, ms, provided that what it says is still true (crew 3); if undefined, it is
   * replayed for 24 h unconditionally.
   */
  readonly whileItStands?: number | undefined
}

/** A call of an operation with parsed input. */
export interface Call {
  readonly operation: AnyOperation
  readonly input: AnyInput
  /** Null only for public operations. */
  readonly caller: Caller | null
  /** Entity tags, one of which must be that of the record (`If-Match`); `*` matches any. */
  readonly ifMatch?: readonly string[] | undefined
  /** The `rev` that the record must have (crew 2.2). */
  readonly expectedRev?: number | undefined
  readonly idempotency?: IdempotencyKey | undefined
  /**
   * Returns the signal that fires when the caller disconnects, for the few implementations that need it. It is not a
   * getter of an object literal: each such literal has a hidden class of its own, which retains the request until the
   * engine's next full garbage collection.
   */
  readonly signal?: (() => AbortSignal) | undefined
  /** Rolls a write back when it fires before the commit; the call then throws the signal's reason. */
  readonly abort?: AbortSignal | undefined
  /** The only board that the call may address; records of other boards are not found. */
  readonly within?: string | undefined
  /** The form in which the caller wants an event stream; by default a single answer. */
  readonly following?: Following | undefined
  /**
   * What the person at the client agreed to, for a client that confirms calls first; undefined where nobody is asked.
   */
  readonly confirmation?: Confirmation | undefined
  /** The origin of the call; by default HTTP. */
  readonly origin?: Origin | undefined
  /**
   * The refusal for a name in the call that matches no agent: used only if the caller may make the call, and after all
   * other refusals.
   */
  readonly unmatched?: DomainError | undefined
  /** Whether its body is too large to be read for a caller that may make no call of this kind; the input has none. */
  readonly isUnread?: boolean | undefined
  /** Whether the caller also accepts the JSON body as text (`Answer.json`), which saves parsing a large one. */
  readonly asText?: boolean | undefined
  /**
   * How a large body is reduced for the caller; if the body is read in a thread, it is reduced there and returned as
   * text.
   */
  readonly reduce?: Reduction | undefined
}

/** A reduction of the body of an answer to something small, made in the thread that has read the body. */
export interface Reduction {
  /** The address of a module whose default export is a `Reduce`. */
  readonly module: string
  /** Its parameters, as data that can be passed to a thread. */
  readonly parameters: unknown
}

/** Reduces the answer of a call to something small; the result is passed on as JSON. */
export type Reduce = (answer: Answer, call: Pick<Call, 'operation' | 'input'>, parameters: unknown) => unknown

/** The answer of an operation, before an adapter formats it. */
export interface Answer {
  readonly status: number
  /** The JSON body; undefined for files, streams and 204. */
  readonly body?: unknown
  /**
   * The JSON body, or what it was reduced to, as UTF-8 text in place of `body`; only for calls with `asText` or
   * `reduce`.
   */
  readonly json?: Uint8Array<ArrayBuffer>
  /** The entity tag, if `json` is set in place of `body`. */
  readonly etag?: string
  /** The length of the whole list. */
  readonly total?: number
  /** Whether this repeats the answer of an earlier call with equal arguments, without writing anything (crew 3). */
  readonly repeated?: true
  /** Who acts next, after a call that completed somebody's part (crew 4.1). */
  readonly next?: NextPart
  /** Warnings for the caller, although the call succeeded. */
  readonly warnings?: readonly string[]
  /** The members of the answer that are empty because the caller may not read them (crew 9.11). */
  readonly hidden?: readonly string[]
  readonly file?: FileAnswer
  readonly stream?: StreamAnswer
}

/** Who acts next on a record, and the call to make if that is the caller (crew 4.1). */
export interface NextPart {
  readonly next: string
  readonly actions: readonly NextAction[]
}

/** Finds who acts next after a call; the composition root supplies it. */
export interface NextPartOf {
  readonly mayHandOver: (call: Pick<Call, 'operation'>) => boolean
  readonly nextPart: (ctx: Context, call: Pick<Call, 'operation' | 'input'>, body: unknown) => Promise<NextPart | null>
}

/** The arguments of a call by name, from path, query and body together. */
export const argumentsOf = ({ params, query, body }: AnyInput): Readonly<Record<string, unknown>> => ({
  ...(body as object | undefined),
  ...query,
  ...params,
})
