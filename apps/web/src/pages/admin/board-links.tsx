import { Link } from 'wouter'
import { addressOfBoard } from '../../address.ts'
import { messages } from '../../messages/messages.ts'

interface BoardLinksProps {
  readonly boards: readonly { readonly id: string; readonly key: string; readonly name: string }[]
}

/** How many boards are listed before the others are folded. */
const listed = 5

/** The boards that somebody is on, or that an app reaches (people 6). */
export function BoardLinks({ boards }: BoardLinksProps) {
  if (boards.length === 0) return <span className="muted">{messages.people.onNoBoard}</span>
  // One more takes no more room than the line that counts the rest.
  const first = boards.length === listed + 1 ? boards : boards.slice(0, listed)
  const others = boards.slice(first.length)
  return (
    <>
      <Links boards={first} />
      {others.length > 0 && (
        <details>
          <summary>{messages.people.moreBoards(others.length)}</summary>
          <Links boards={others} />
        </details>
      )}
    </>
  )
}

const Links = ({ boards }: BoardLinksProps) => (
  <ul className="plain">
    {boards.map(({ id, key, name }) => (
      <li key={id}>
        <Link to={addressOfBoard(key)}>
          <bdi>{name}</bdi>
        </Link>
      </li>
    ))}
  </ul>
)
