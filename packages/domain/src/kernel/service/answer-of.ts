import type { AnyOperation } from '@specboard/contract'
import { ExplicitAnswer, type FileAnswer, type StreamAnswer } from '../implement.ts'
import type { Page } from '../page.ts'
import type { Answer } from './call.ts'

/** Gives an implementation's result the status and form that its operation declares. */
export function answerOf(operation: AnyOperation, result: unknown): Answer {
  const { status } = operation
  if (operation.list !== undefined) {
    const { items, total } = result as Page<unknown>
    return { status, body: items, total }
  }
  if (operation.kind === 'file') return { status, file: result as FileAnswer }
  if (operation.kind === 'events' && isStream(result)) return { status, stream: result }
  if (result === undefined) return { status }
  if (result instanceof ExplicitAnswer) {
    const { body, total } = result
    return { status: result.status ?? status, body, ...(total !== undefined && { total }) }
  }
  return { status, body: result }
}

const isStream = (result: unknown): result is StreamAnswer =>
  typeof result === 'object' &&
  result !== null &&
  'events' in result &&
  typeof result.events === 'object' &&
  result.events !== null &&
  Symbol.asyncIterator in result.events
