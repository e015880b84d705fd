import { useQuery } from '@tanstack/react-query'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.settings.advice

/** Suggested changes to who approves on a board (people 1.3); nothing if all is well. */
export function Advice({ board }: { readonly board: BoardListItem }) {
  const { data } = useQuery({
    // The advice depends on the rules too.
    queryKey: keys.list(board.id, 'advice', { settings: board.settings }),
    queryFn: async () => (await client.getBoardOverview({ board_id: board.id })).advice,
  })
  if (data === undefined || data.length === 0) return null
  return (
    <section className="banner stack" aria-label={texts.title}>
      {data.map(advice => (
        <p key={advice}>{texts.says[advice]}</p>
      ))}
    </section>
  )
}
