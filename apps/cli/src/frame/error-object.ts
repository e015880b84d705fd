import { ClientError } from '@specboard/client/calls'
import { CommanderError } from 'commander'
import { explain } from '../explain.ts'
import { RefusalError } from './send.ts'
import { UsageError } from './usage-error.ts'

/**
 * The output of a verb with `--json` when it fails: the answer of the service, or the same form for a local failure.
 */
export function errorObject(error: unknown): object {
  if (error instanceof RefusalError && typeof error.answer === 'object' && error.answer !== null) return error.answer
  if (error instanceof ClientError)
    return { detail: error.detail, ...(error.nextActions.length > 0 && { next_actions: error.nextActions }) }
  if (error instanceof UsageError || error instanceof CommanderError)
    return { detail: { error: 'WRONG_USE', message: explain(error) } }
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return { detail: { error: typeof code === 'string' ? code : 'FAILED', message: explain(error) } }
}
