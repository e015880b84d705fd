import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import { blockingMost, type Network } from './network.ts'
import '../../components/figures.css'

const texts = messages.dependencies.figures

interface FiguresProps {
  readonly network: Network
  readonly open: number
  readonly boardKey: string
}

/** The key figures of a network; each links to the card that it is about. */
export function Figures({ network, open, boardKey }: FiguresProps) {
  const { cards, criticalPath, alone } = network
  const waiting = [...cards.values()].filter(({ card }) => card.blocked_by > 0).length
  const [most] = blockingMost(network)
  const first = cards.get(criticalPath[0] ?? '')
  return (
    <dl className="figures">
      <div>
        <dt>{texts.path}</dt>
        <dd>
          {first === undefined ? (
            texts.pathNone
          ) : (
            <>
              <Link href={addressOfCard(boardKey, first.card.ref)}>{number(criticalPath.length)}</Link>{' '}
              <small>{texts.inARow}</small>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{texts.waiting}</dt>
        <dd>
          {waiting} <small>{texts.ofOpen(open)}</small>
        </dd>
      </div>
      {most !== undefined && (
        <div>
          <dt>{texts.most}</dt>
          <dd>
            <Link href={addressOfCard(boardKey, most.card.ref)}>{most.card.ref}</Link>{' '}
            <small className="warn">{texts.blocked(most.holdsUp)}</small>
          </dd>
        </div>
      )}
      <div>
        <dt>{texts.alone}</dt>
        <dd>{alone}</dd>
      </div>
    </dl>
  )
}
