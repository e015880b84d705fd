import type { BoardEvent } from '../../data/stream.ts'
import { messages } from '../../messages/messages.ts'
import { statusWords } from '../../messages/status-words.ts'

/** Longer values are truncated. */
const maxLength = 60

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return messages.activity.nothing
  if (Array.isArray(value)) return listed(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** A list, such as labels, in full if it is short; otherwise only its length. */
function listed(values: readonly unknown[]): string {
  if (values.length === 0) return messages.activity.nothing
  const words = values.every(value => typeof value === 'string') ? values.join(', ') : ''
  return words === '' || words.length > maxLength ? messages.activity.entries(values.length) : words
}

/** The changes in an event, one line per field; the statuses of a move are in its details. */
export function changesOf({ changes, details }: Pick<BoardEvent, 'changes' | 'details'>): readonly string[] {
  const lines = (changes ?? []).map(({ field, old, new: now }) =>
    messages.activity.change(field.replaceAll('_', ' '), valueText(old), valueText(now)),
  )
  const { from_status, to_status } = details ?? {}
  if (to_status === undefined || from_status === to_status) return lines
  const [before, after] = [from_status, to_status].map(status => statusWords(valueText(status)))
  return [messages.activity.change(messages.activity.status, before!, after!), ...lines]
}
