import type { AnyOperation, NextAction as NextActionSchema } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from './context.ts'
import type { DomainError } from './errors.ts'

/** What the caller of a refused call can do about it; the reason says what to add to the arguments (mcp 9.5). */
export type NextAction = z.output<typeof NextActionSchema>

/** A refused call. */
export interface Refused {
  readonly operation: string
  /** The arguments of the call that were understood, of path, query and body together. */
  readonly args: Readonly<Record<string, unknown>>
  readonly detail: Readonly<Record<string, unknown>>
  /** The board of the record that the call names, where it is known. */
  readonly board?: string | undefined
}

/** Whether an operation may be named to a caller: its connection may leave some out. */
export type IsOpen = (operation: AnyOperation) => boolean

/** Finds what a caller can do about a refusal; the composition root supplies it, because it knows every feature. */
export type Advise = (ctx: Context, refused: Refused, isOpen: IsOpen) => Promise<NextAction[]>

/** What to call after a permission was refused. */
export const myPermissions: NextAction = { name: 'get_my_permissions', arguments: {}, reason: 'what this key may do' }

const advisedStatuses: ReadonlySet<number> = new Set([403, 404, 409, 412])

/** Whether a refusal says what the caller can do about it; for others there is nothing to do, or no one to say it to. */
export const isAdvised = ({ status }: DomainError): boolean => advisedStatuses.has(status)
