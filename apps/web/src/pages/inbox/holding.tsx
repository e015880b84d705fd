import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Time } from '../../components/time.tsx'
import type { HeldCard } from '../../data/inbox.ts'
import { messages } from '../../messages/messages.ts'
import { statusWords } from '../../messages/status-words.ts'

const texts = messages.inbox

/** The next step of a card, in words: the status to reach, otherwise its current one. */
function nextOf({ needs, status }: HeldCard): string {
  const [, to] = /^move_card (\w+)/.exec(needs) ?? []
  return to === undefined ? statusWords(status) : texts.next(statusWords(to))
}

/** The cards that the person holds, each with its expiry and next step; nothing if there are none (crew 5.2). */
export const Holding = ({ holding }: { readonly holding: readonly HeldCard[] }) =>
  holding.length > 0 && (
    <section aria-labelledby="inbox-holding">
      <h2 id="inbox-holding" className="inbox-group">
        {texts.holding} <span className="muted numbers">{holding.length}</span>
      </h2>
      <ul className="plain lines">
        {holding.map(card => (
          <li key={card.ref} className="line held">
            <span className="row">
              <Link className="grow truncate" href={addressOfRecord('card', card.ref)}>
                <span className="ref">{card.ref}</span> <bdi>{card.title}</bdi>
              </Link>
              <span className="muted">
                {texts.ends} <Time at={card.until} />
              </span>
            </span>
            <span className="muted">{nextOf(card)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
