import { Link } from 'wouter'
import { Icon } from '../../components/icon.tsx'
import { messages } from '../../messages/messages.ts'
import type { Plan } from './plan.ts'
import { addressOfRow, spanWords } from './words.ts'

const texts = messages.timeline

interface OutOfOrderProps {
  readonly plan: Plan
  readonly boardKey: string
  readonly today: number
}

/** The rows that end before something they wait for: the red lines in words. */
export function OutOfOrder({ plan: { rows, links }, boardKey, today }: OutOfOrderProps) {
  const byId = new Map(rows.map(row => [row.id, row]))
  const odds = links.filter(({ isAtOdds }) => isAtOdds)
  if (odds.length === 0) return null
  return (
    <section aria-labelledby="out-of-order">
      <h2 id="out-of-order" className="timeline-title">
        {texts.outOfOrder} <span className="muted numbers">{odds.length}</span>
      </h2>
      <ul className="plain lines">
        {odds.map(({ from, to }) => {
          const [awaited, waiting] = [byId.get(from)!, byId.get(to)!]
          return (
            <li key={`${from} ${to}`} className="line">
              <Icon name="clock" size={14} />
              <Link className="truncate grow" href={addressOfRow(boardKey, waiting)} dir="auto">
                {texts.before(waiting.ref, awaited.ref)}
              </Link>
              <span className="line-fact bad">
                {spanWords(waiting.span, today, waiting.kind)} · {spanWords(awaited.span, today, awaited.kind)}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
