import type { MoveEffect, Permission } from '@specboard/contract'
import type { z } from 'zod'
import type { Access } from './access/access.ts'
import type { Caller, Context } from './context.ts'
import type { Ruling } from './gates.ts'

/** What a move changes besides the status (board 3). */
export type Effect = z.output<typeof MoveEffect>

/**
 * The gates that a call would have to pass now: unless the values that it sends are refused, it succeeds exactly when
 * no ruling refuses it.
 */
export interface CallGates {
  /** Permissions that the call does not need, because of the record's state. */
  readonly opens?: readonly Permission[]
  /** Every gate in the order in which the operation checks it; the first closed one is its 409. */
  readonly rulings: readonly Ruling[]
  /** The fields that the call must include besides those that its schema requires. */
  readonly asks?: readonly string[]
  readonly effects?: readonly Effect[]
  /** For an update: the fields that the record's status or lock makes read-only. */
  readonly lockedFields?: readonly string[]
}

/** Who asks, on which board, and what they may do there. */
export interface Requester {
  readonly caller: Pick<Caller, 'id' | 'present'>
  readonly boardId: string
  readonly access: Pick<Access, 'allows'>
}

/** A record, reduced to its place in the tables of moves, which every kind has. */
export interface MovableRecord<Status extends string = string> {
  readonly id: string
  readonly ref: string
  readonly board_id: string
  readonly status: Status
}

/** What can be done with the records of a kind, evaluated on facts that are read once (board 3). */
export interface RecordGates<Facts = never, Status extends string = string> {
  /** @throws DomainError NOT_FOUND */
  readonly read: (ctx: Pick<Context, 'db' | 'now'>, id: string) => Promise<Facts>
  readonly recordOf: (facts: Facts) => MovableRecord<Status>
  readonly statuses: readonly Status[]
  /** The statuses that the state table offers from the present one. */
  readonly targets: (status: Status) => readonly Status[]
  readonly move: (facts: Facts, to: Status, requester: Requester) => CallGates
  /** What else depends on the status or lock of a record, by operation. */
  readonly operations: Readonly<Record<string, (facts: Facts, requester: Requester) => CallGates>>
}
