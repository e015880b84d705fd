import type { AnyOperation, NextAction as NextActionSchema } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from './context.ts'
import type { DomainError } from './errors.ts'

/** What the caller of a refused call can do about it; the reason says what to add to the arguments (mcp 9.5). */
export type NextAction = z.output<typeof NextActionSchema>

/** A refused call. */
export interface RefusedCall {
  readonly operation: string
  /** The arguments of the call that could be parsed, from path, query and body together. */
  readonly args: Readonly<Record<string, unknown>>
  readonly detail: Readonly<Record<string, unknown>>
  /** The board of the record that the call names, if known. */
  readonly board?: string | undefined
}

/** Whether an operation may be suggested to a caller: its connection may leave some out. */
export type IsOpen = (operation: AnyOperation) => boolean

/** Finds what a caller can do about a refusal; the composition root supplies it, because it needs every feature. */
export type FindNextActions = (ctx: Context, refused: RefusedCall, isOpen: IsOpen) => Promise<NextAction[]>

/** The call to suggest after a permission was refused. */
export const myPermissions: NextAction = { name: 'get_my_permissions', arguments: {}, reason: 'what this key may do' }

const statusesWithNextActions: ReadonlySet<number> = new Set([403, 404, 409, 412])

/**
 * Whether a refusal suggests next calls; for other refusals there is nothing to do, or no known caller to suggest it
 * to.
 */
export const suggestsNextActions = ({ status }: DomainError): boolean => statusesWithNextActions.has(status)
