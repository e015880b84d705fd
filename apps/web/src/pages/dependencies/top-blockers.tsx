import { BlockingCards } from '../../components/blocking-cards.tsx'
import { messages } from '../../messages/messages.ts'
import { blockingMost, type Network } from './network.ts'

const texts = messages.dependencies

/** Maximum number shown. */
const max = 5

interface BlockingMostProps {
  readonly network: Network
  readonly boardKey: string
}

/** The cards that the most others wait for, directly or through others. */
export function TopBlockers({ network, boardKey }: BlockingMostProps) {
  const first = blockingMost(network).slice(0, max)
  if (first.length === 0) return null
  return (
    <section aria-labelledby="blocking-most">
      <h2 id="blocking-most" className="dependencies-title">
        {texts.holdsUp}
      </h2>
      <BlockingCards
        cards={first.map(({ card, holdsUp }) => ({ ...card, count: holdsUp }))}
        boardKey={boardKey}
        says={texts.blocks}
      />
    </section>
  )
}
