import type { AnyOperation, Feature, InputOf } from '@specboard/contract'
import type { z } from 'zod'
import type { Db } from '../schema/database.ts'
import type { Context, Environment } from './context.ts'
import type { Page } from './page.ts'

/** The answer of a download. */
export interface FileAnswer {
  readonly headers: Readonly<Record<string, string>>
  /** The file's name on the caller's side. */
  readonly filename: string
  readonly mimeType: string
  /** The total size in bytes, where known. */
  readonly size?: number
  readonly content: string | Uint8Array | AsyncIterable<string | Uint8Array>
}

/** A file being uploaded; `open` may be called only once. */
export interface IncomingFile {
  readonly filename: string
  readonly mimeType: string | null
  readonly open: () => AsyncIterable<Uint8Array>
}

/** One message of an event stream. */
export interface StreamEvent {
  readonly id?: string
  readonly event?: string
  readonly data: unknown
  /** How long a client waits before it reconnects, ms. */
  readonly retry?: number
}

/** A comment line that keeps a stream alive. */
export interface StreamComment {
  readonly comment: string
}

/** An open event stream. It ends when the signal of the call fires. */
export interface StreamAnswer {
  readonly events: AsyncIterable<StreamEvent | StreamComment>
}

/** The form in which the caller wants an event stream. */
export interface Following {
  /** Whether it is an open stream; otherwise it is a single answer. */
  readonly live: boolean
  /** The last event that the caller reports having seen. */
  readonly lastEventId?: string | undefined
}

/** An answer with a status or list length that the operation's declaration does not determine. */
export class ExplicitAnswer<Body> {
  readonly body: Body
  readonly status: 200 | 202 | 503 | undefined
  /** The length of the whole list, where the body holds only part of it (`X-Total-Count`). */
  readonly total: number | undefined

  constructor(body: Body, { status, total }: { readonly status?: 200 | 202 | 503; readonly total?: number }) {
    this.body = body
    this.status = status
    this.total = total
  }

  /** The same answer with another body. */
  with<Other>(body: Other): ExplicitAnswer<Other> {
    const { status, total } = this
    return new ExplicitAnswer(body, { ...(status !== undefined && { status }), ...(total !== undefined && { total }) })
  }
}

type AnswerOf<O> = O extends { readonly list: infer L extends z.ZodType }
  ? Page<z.input<L>>
  : O extends { readonly kind: 'file' }
    ? FileAnswer
    : O extends { readonly kind: 'events' }
      ? StreamAnswer | unknown
      : O extends { readonly response: infer R extends z.ZodType }
        ? z.input<R> | ExplicitAnswer<z.input<R>>
        : undefined

type FileOf<O> = O extends { readonly kind: 'upload' } ? { readonly file: IncomingFile } : unknown

/** The input of an implementation: the parsed parameters, query and body, and the file of an upload. */
export type Input<O> = InputOf<O> & FileOf<O>

/** The input of any operation; only an upload has a file. */
export interface AnyInput extends InputOf<AnyOperation> {
  readonly file?: IncomingFile
}

/** An implementation that runs in the one unit of work of its call: a read for GET, otherwise a write. */
export type Implementation<O> = (input: Input<O>, ctx: Context) => Promise<AnswerOf<O>>

/** A read that answers a whole board, with the record's own fields alone for the comparison with `If-Match` (board 6). */
export interface WholeRead<O> {
  readonly run: Implementation<O>
  readonly own: (input: Input<O>, ctx: Context) => Promise<object>
}

/**
 * A write that answers a whole board, which is read once the write is durable, so that it does not hold up other writes. Not
 * for POST, whose answer is stored with the write.
 */
export interface WholeWrite<O> {
  readonly run: (input: Input<O>, ctx: Context) => Promise<void>
  readonly answer: Implementation<O>
}

/** The units of work and environment of an implementation in steps. */
export interface Steps {
  /** Reads, after checking the access of the call again. */
  read<Value>(run: (ctx: Context) => Promise<Value>): Promise<Value>
  /** Writes durably, after checking the access of the call again. */
  write<Value>(run: (ctx: Context) => Promise<Value>, boardId?: string): Promise<Value>
  /**
   * Writes like `write`, as one of many pieces of a large change: it waits while the write-ahead log is checkpointed.
   */
  writePiece<Value>(run: (ctx: Context) => Promise<Value>, boardId?: string): Promise<Value>
  /**
   * Writes like `write`, as the last step of an operation that answers the value: with an Idempotency-Key, the answer
   * is stored in the same transaction.
   */
  finish<Value>(run: (ctx: Context) => Promise<Value>, boardId?: string): Promise<Value>
  /**
   * Undoes what earlier steps wrote, or completes it, even if the caller has disconnected.
   * @param boardId the board that all changes belong to
   */
  compensate<Value>(run: (db: Db) => Promise<Value>, boardId: string): Promise<Value>
  /** Returns the signal that fires when the caller disconnects or the service stops. */
  readonly signal: () => AbortSignal
  readonly environment: Environment
  /** The form in which the caller wants an event stream. */
  readonly following: Following
}

/** Marks an implementation that awaits more than its database, such as files, streams or other services. */
export class MultiStep<O> {
  readonly run: (input: Input<O>, steps: Steps) => Promise<AnswerOf<O>>

  constructor(run: (input: Input<O>, steps: Steps) => Promise<AnswerOf<O>>) {
    this.run = run
  }
}

/**
 * Declares an implementation in steps, for an operation that awaits more than its database. Access is checked before it
 * runs and again in each unit of work.
 *
 * @example
 * // A unit of work never waits for a file: it is awaited between two of them, each with a `ctx` of its own.
 * const download = multiStep<Attachments['download_attachment']>(async ({ params }, steps) => {
 *   const row = await steps.read(ctx => storedAttachment(ctx, params.attachment_id))
 *   return fileAnswer(row, await stat(pathOf(row)))
 * })
 */
export const multiStep = <O extends AnyOperation>(
  run: (input: Input<O>, steps: Steps) => Promise<AnswerOf<O>>,
): MultiStep<O> => new MultiStep(run)

/** The implementations of a feature: exactly one for each of its operations. */
export type Implementations<F extends Feature> = {
  readonly [K in keyof F]: Implementation<F[K]> | WholeRead<F[K]> | WholeWrite<F[K]> | MultiStep<F[K]>
}

/** An implementation as the service runs it. */
export type Runner =
  | {
      readonly steps: false
      readonly run: (input: AnyInput, ctx: Context) => Promise<unknown>
      /** Reads the answer, if it is not the result of `run`. */
      readonly answer?: (input: AnyInput, ctx: Context) => Promise<unknown>
      /** Reads the record's own fields, where `run` reads much more. */
      readonly own?: (input: AnyInput, ctx: Context) => Promise<object>
    }
  | { readonly steps: true; readonly run: (input: AnyInput, steps: Steps) => Promise<unknown> }

/**
 * Binds a feature's operations to their implementations. The compiler rejects a missing or surplus one.
 *
 * @example
 * export const attachmentOperations = implement(features.attachments, {
 *   upload_attachment: uploadAttachment,
 *   download_attachment: downloadAttachment,
 *   delete_attachment: deleteAttachment,
 * })
 */
export function implement<const F extends Feature>(
  feature: F,
  functions: Implementations<F>,
): Readonly<Record<string, Runner>> {
  return Object.fromEntries(
    Object.keys(feature).map(name => {
      // The runner is looked up by the operation's name, so it only ever gets that operation's input.
      return [name, runnerOf(functions[name]!) as unknown as Runner]
    }),
  )
}

function runnerOf<O>(implementation: Implementation<O> | WholeRead<O> | WholeWrite<O> | MultiStep<O>) {
  if (implementation instanceof MultiStep) return { steps: true, run: implementation.run }
  return typeof implementation === 'function'
    ? { steps: false, run: implementation }
    : { steps: false, ...implementation }
}
