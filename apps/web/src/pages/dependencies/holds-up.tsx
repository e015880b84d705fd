import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { StatusSign } from '../../components/status.tsx'
import { messages } from '../../messages/messages.ts'
import { blockingMost, type Network } from './network.ts'

const texts = messages.dependencies

/** How many are shown. */
const most = 5

interface BlockingMostProps {
  readonly network: Network
  readonly boardKey: string
}

/** The cards that most others wait for, directly or through others. */
export function BlockingMost({ network, boardKey }: BlockingMostProps) {
  const first = blockingMost(network).slice(0, most)
  if (first.length === 0) return null
  return (
    <section aria-labelledby="blocking-most">
      <h2 id="blocking-most" className="dependencies-title">
        {texts.holdsUp}
      </h2>
      <ul className="plain lines">
        {first.map(({ card: { id, ref, title, status }, holdsUp }) => (
          <li key={id} className="line">
            <StatusSign status={status} />
            <span className="ref">{ref}</span>
            <Link className="truncate grow" href={addressOfCard(boardKey, ref)} dir="auto">
              {title}
            </Link>
            <span className="line-fact">{texts.blocks(holdsUp)}</span>
            <meter
              className="meter"
              min={0}
              max={first[0]!.holdsUp}
              value={holdsUp}
              aria-label={texts.blocks(holdsUp)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
