import type { AnyOperation } from '@specboard/contract'
import { Access, type Caller } from '@specboard/domain'

/** Whether a key may use an operation at all: it holds the permission or a child of it (mcp 5.3). */
export const mayUse = ({ base }: Pick<Caller, 'base'>, { permission }: AnyOperation): boolean =>
  permission === '-' || permission === 'public' || new Access(base, null).allowsAny(permission)
