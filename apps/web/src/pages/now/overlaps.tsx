import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Avatar } from '../../components/person.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { useMay } from '../../data/rights.ts'
import { useOverlaps } from '../../data/workers.ts'
import { messages } from '../../messages/messages.ts'

interface OnBoardProps {
  readonly board: BoardListItem
  readonly isOfMany: boolean
}

const texts = messages.now

export const Overlaps = (props: OnBoardProps) => (useMay('CARDS_READ') ? <List {...props} /> : null)

type Pair = NonNullable<ReturnType<typeof useOverlaps>['data']>[number]
type Side = Pair['b']

/** Workers who may change the same files at the same time (harness 5). */
function List({ board, isOfMany }: OnBoardProps) {
  const { data = [] } = useOverlaps(board.id)
  if (data.length === 0) return null
  return (
    <section aria-label={texts.overlaps}>
      <h2 className="now-title">
        {texts.overlaps} {isOfMany && <bdi className="muted">{board.name}</bdi>}
      </h2>
      <ul className="plain lines">
        {data.map(({ a, b }) => (
          <li key={`${nameOf(a)} ${nameOf(b)}`} className="line">
            {a !== undefined && <One side={a} board={board} />}
            <One side={b} board={board} />
            <span className="grow" />
            <span className="line-fact">
              <code dir="auto">{texts.both(b.example)}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const nameOf = (side: Side | undefined): string => side?.ref ?? side?.reservation_id ?? ''

const One = ({ side, board }: { readonly side: Side; readonly board: BoardListItem }) => (
  <span className="row">
    <Avatar name={side.agent_name} />
    {side.ref === undefined ? (
      <bdi>{side.title ?? side.agent_name}</bdi>
    ) : (
      <Link href={addressOfCard(board.key, side.ref)} title={side.title ?? undefined}>
        {side.ref}
      </Link>
    )}
  </span>
)
