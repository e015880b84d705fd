import { addressOn } from '../../address.ts'
import { isPlanStatus } from '../../components/plan-status.tsx'
import { isCardStatus } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { dayWords } from './days.ts'
import type { Row, Span } from './plan.ts'

const texts = messages.timeline

/** A span in words. */
export function spanWords({ start, end }: Span, today: number, kind: Row['kind']): string {
  if (kind === 'card') return texts.dueOn(dayWords(end!, today))
  if (start === null) return texts.until(dayWords(end!, today))
  if (end === null) return texts.from(dayWords(start, today))
  return texts.span(dayWords(start, today), dayWords(end, today))
}

/** A row in words: what it is, its status and its dates. */
export function rowWords(row: Row, span: Span, today: number): string {
  const says = [
    `${row.ref} ${row.title}`.trim() || texts.smallChanges,
    ...(row.kind === 'card' && isCardStatus(row.status) ? [messages.board.statuses[row.status]] : []),
    ...(row.kind !== 'card' && isPlanStatus(row.status) ? [messages.planning.statuses[row.status]] : []),
    spanWords(span, today, row.kind),
    ...(row.kind === 'sprint' ? [texts.progress(row.done, row.total)] : []),
    ...(row.isLate ? [texts.late] : []),
  ]
  return says.join(', ')
}

/** The address that a row links to. */
export const addressOfRow = (boardKey: string, { kind, ref }: Row): string => addressOn(boardKey, kind, ref)
