import type { AnyOperation, Feature, InputOf } from '@specboard/contract'
import type { z } from 'zod'
import type { Context, Environment } from './context.ts'
import type { Page } from './page.ts'

/** Bytes with a name: the answer of a download. */
export interface FileAnswer {
  readonly headers: Readonly<Record<string, string>>
  /** The name that the file is offered under. */
  readonly filename: string
  readonly mimeType: string
  /** Bytes in all, where known. */
  readonly size?: number
  readonly content: string | Uint8Array | AsyncIterable<string | Uint8Array>
}

/** A file on its way in; `open` may be called once. */
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
  /** How long a client waits before it connects again, ms. */
  readonly retry?: number
}

/** A line that only keeps a stream alive. */
export interface StreamComment {
  readonly comment: string
}

/** An open event stream; ends when the signal of the call fires. */
export interface StreamAnswer {
  readonly events: AsyncIterable<StreamEvent | StreamComment>
}

/** How the caller of an event stream takes it. */
export interface Following {
  /** As an open stream; else as one answer. */
  readonly live: boolean
  /** The last event that the caller has seen, as it says. */
  readonly lastEventId?: string | undefined
}

/** An answer whose status or list length the operation does not fix. */
export class Answered<Body> {
  readonly body: Body
  readonly status: 200 | 202 | 503 | undefined
  /** The length of the whole list of which the body shows a part (`X-Total-Count`). */
  readonly total: number | undefined

  constructor(body: Body, { status, total }: { readonly status?: 200 | 202 | 503; readonly total?: number }) {
    this.body = body
    this.status = status
    this.total = total
  }
}

type AnswerOf<O> = O extends { readonly list: infer L extends z.ZodType }
  ? Page<z.input<L>>
  : O extends { readonly kind: 'file' }
    ? FileAnswer
    : O extends { readonly kind: 'events' }
      ? StreamAnswer | unknown
      : O extends { readonly response: infer R extends z.ZodType }
        ? z.input<R> | Answered<z.input<R>>
        : undefined

type FileOf<O> = O extends { readonly kind: 'upload' } ? { readonly file: IncomingFile } : unknown

/** What an implementation is given: the parsed parameters, query and body; an upload's file. */
export type Input<O> = InputOf<O> & FileOf<O>

/** What a call of any operation is given; only an upload has a file. */
export interface AnyInput extends InputOf<AnyOperation> {
  readonly file?: IncomingFile
}

/** An implementation that runs in the unit of work of its call: a read for GET, else one write. */
export type Implementation<O> = (input: Input<O>, ctx: Context) => Promise<AnswerOf<O>>

/** What an implementation with units of work of its own is given. */
export interface Steps {
  /** Reads with the access of the call settled anew. */
  read<Value>(run: (ctx: Context) => Promise<Value>): Promise<Value>
  /** Writes durably with the access of the call settled anew. */
  write<Value>(run: (ctx: Context) => Promise<Value>): Promise<Value>
  /** Gives the signal that fires when the caller goes away or the service ends. */
  readonly gone: () => AbortSignal
  readonly environment: Environment
  /** How the caller takes an event stream. */
  readonly following: Following
}

/** Marks an implementation that awaits more than its database: files, streams, other services. */
export class InSteps<O> {
  readonly run: (input: Input<O>, steps: Steps) => Promise<AnswerOf<O>>

  constructor(run: (input: Input<O>, steps: Steps) => Promise<AnswerOf<O>>) {
    this.run = run
  }
}

/** An implementation with units of work of its own; access is settled before it runs and in each unit. */
export const inSteps = <O extends AnyOperation>(
  run: (input: Input<O>, steps: Steps) => Promise<AnswerOf<O>>,
): InSteps<O> => new InSteps(run)

/** The functions of a feature: one for each of its operations, no more. */
export type Implementations<F extends Feature> = { readonly [K in keyof F]: Implementation<F[K]> | InSteps<F[K]> }

/** An implementation as the service runs it. */
export type Runner =
  | { readonly steps: false; readonly run: (input: AnyInput, ctx: Context) => Promise<unknown> }
  | { readonly steps: true; readonly run: (input: AnyInput, steps: Steps) => Promise<unknown> }

/** Binds a feature's operations to their implementations; the compiler refuses a missing or surplus one. */
export function implement<const F extends Feature>(
  feature: F,
  functions: Implementations<F>,
): Readonly<Record<string, Runner>> {
  return Object.fromEntries(
    Object.keys(feature).map(name => {
      const implementation = functions[name]!
      const runner =
        implementation instanceof InSteps
          ? { steps: true, run: implementation.run }
          : { steps: false, run: implementation }
      // Which operation a call is of decides which runner it meets: its input is the one that this takes.
      return [name, runner as unknown as Runner]
    }),
  )
}
