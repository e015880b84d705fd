import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useBoards } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useMe } from '../../data/session.ts'
import { lastVisit } from '../../data/visit.ts'
import { messages } from '../../messages/messages.ts'
import { Aside } from './aside.tsx'
import { activityCounts, type Sum } from './happened.ts'

const texts = messages.inbox.since

const order = Object.keys(texts.sums) as readonly Sum[]

/** How many boards are examined, and how many events of each. */
const maxBoards = 20
const maxEvents = 500

/** What others did on the boards of the person since the last visit, folded; nothing in the first visit. */
export function SinceLastVisit() {
  const { data: boards = [] } = useBoards()
  const [since] = useState(lastVisit)
  const [isOpen, setOpen] = useState(false)
  if (since === undefined || boards.length === 0) return null
  return (
    <Aside
      id="inbox-since"
      title={texts.title}
      says={
        <span className="muted">
          <Time at={since} />
        </span>
      }
      isOpen={isOpen}
      onOpen={setOpen}
    >
      <OnBoards boards={boards.slice(0, maxBoards)} since={since} />
    </Aside>
  )
}

function OnBoards({ boards, since }: { readonly boards: readonly BoardListItem[]; readonly since: string }) {
  const { agent_id } = useMe()
  const read = useQueries({
    queries: boards.map(({ id }) => ({
      queryKey: keys.list(id, 'events', { since, isSummed: true }),
      queryFn: () => client.listBoardEvents({ board_id: id, since, order: 'desc', limit: maxEvents }),
    })),
  })
  const rows = boards.flatMap((board, place) => {
    const answer = read[place]?.data
    if (answer === undefined) return []
    const { all, sums } = activityCounts(
      answer.events.filter(event => 'sequence' in event),
      agent_id,
    )
    return all === 0 ? [] : [{ board, all, sums, hasMore: answer.more }]
  })
  if (read.some(({ isPending }) => isPending)) return <p className="inbox-nothing muted">{messages.shell.loading}</p>
  if (rows.length === 0) return <p className="inbox-nothing muted">{texts.nothing}</p>
  return (
    <ul className="plain">
      {rows.map(({ board: { id, key, name }, all, sums, hasMore }) => (
        <li key={id}>
          <Link className="since-link" href={`/b/${key}/activity?since=${encodeURIComponent(since)}`}>
            <bdi className="truncate">{name}</bdi>
            <span className="muted numbers">
              {[
                ...order.flatMap(sum => (sums.has(sum) ? [texts.sums[sum](sums.get(sum)!)] : [])),
                texts.all(all, hasMore),
              ].join(' · ')}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
