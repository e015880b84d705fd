import type { OperationName, RuntimeSettingValues } from '@specboard/contract'
import type { ReplicaPlace } from '@specboard/storage'
import type { Origin } from '../../schema/tables.ts'
import type { Proof } from '../context.ts'
import type { ErrorExtra } from '../errors.ts'
import type { AnyInput, FileAnswer } from '../implement.ts'
import type { Answer, Call, Reduction } from './call.ts'

/** Runs calls that read a lot outside the thread that serves all others. */
export interface ReadPool {
  /** Whether a call, perhaps implemented in steps, may read so much that it should run in a thread. */
  readonly shouldOffload: (call: Call, inSteps: boolean) => boolean | Promise<boolean>
  /**
   * Runs a call of an operation that only reads, or reads the answer of a write that is durable.
   * @throws DomainError with the code that the contract names
   */
  readonly perform: (call: Call) => Promise<Answer>
}

/** The parts of a call that a thread needs. */
export interface ThreadCall {
  readonly operation: OperationName
  readonly input: AnyInput
  readonly proof: Proof
  readonly within: string | undefined
  readonly origin: Origin | undefined
  /** The time of the call, ms. */
  readonly now: number
  /** The replica that reads may go to. */
  readonly replica: ReplicaPlace | undefined
  readonly settings: RuntimeSettingValues
  readonly reduce: Reduction | undefined
}

/**
 * What a thread answers: JSON text or the content of a file, in bytes that are transferred rather than copied; or a
 * refusal.
 */
export type ThreadAnswer =
  | {
      readonly status: number
      readonly total: number | undefined
      readonly json: Uint8Array<ArrayBuffer> | undefined
      readonly etag: string | undefined
      readonly file: (FileAnswer & { readonly content: Uint8Array<ArrayBuffer> }) | undefined
    }
  | { readonly refusal: { readonly code: string; readonly message: string; readonly extra: ErrorExtra } }
