import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../components/toast.tsx'
import { changeCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import { dateOf } from './days.ts'
import type { Row, Span } from './plan.ts'
import { spanWords } from './words.ts'

/** A record whose dates can be changed. */
export type DatedRow = Pick<Extract<Row, { kind: 'sprint' | 'card' }>, 'kind' | 'id' | 'ref' | 'span'>

interface Change {
  readonly of: DatedRow
  readonly span: Span
  /** Whether it undoes another change. */
  readonly isUndo?: boolean
}

const dateOrNull = (day: number | null): string | null => (day === null ? null : dateOf(day))

/** The id of the record of a row. */
export const recordOf = ({ id }: Pick<Row, 'id'>): string => id.slice(id.indexOf(' ') + 1)

/** Changes dates, with Undo; unchanged ones are not written. */
export function useDateChange(boardId: string, today: number) {
  const queries = useQueryClient()
  const dating = useMutation({
    scope: { id: `dates ${boardId}` },
    mutationFn: async ({ of, span }: Change) => {
      const id = recordOf(of)
      if (of.kind === 'card') {
        const due_date = dateOrNull(span.end)
        // The expected result is shown at once, and reverted if the service refuses.
        const back = changeCard(queries, boardId, id, { due_date })
        await client.updateCard({ card_id: id, due_date }).catch(error => {
          back()
          throw error
        })
        return
      }
      await client.updateSprint({
        sprint_id: id,
        ...(span.start !== of.span.start && { start_date: dateOrNull(span.start) }),
        ...(span.end !== of.span.end && { end_date: dateOrNull(span.end) }),
      })
      await queries.invalidateQueries({ queryKey: keys.list(boardId, 'sprint') })
    },
    onSuccess: (_, { of, span, isUndo }) => {
      if (isUndo) return
      const words = spanWords(span, today, of.kind)
      const back = () => dating.mutate({ of: { ...of, span }, span: of.span, isUndo: true })
      toast(messages.timeline.changed(of.ref, words), back)
    },
  })
  return dating
}
