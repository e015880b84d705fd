import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Time } from '../../components/time.tsx'
import type { Held } from '../../data/inbox.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.inbox

/** The cards that the person holds, each with the time until when, and what it asks next; nothing where there is none (crew 5.2). */
export const Holding = ({ holding }: { readonly holding: readonly Held[] }) =>
  holding.length > 0 && (
    <section aria-labelledby="inbox-holding">
      <h2 id="inbox-holding" className="inbox-group">
        {texts.holding} <span className="muted numbers">{holding.length}</span>
      </h2>
      <ul className="plain lines">
        {holding.map(({ ref, title, until, needs }) => (
          <li key={ref} className="line held">
            <span className="row">
              <Link className="grow truncate" href={addressOfRecord('card', ref)}>
                <span className="ref">{ref}</span> <bdi>{title}</bdi>
              </Link>
              <span className="muted">
                {texts.until} <Time at={until} />
              </span>
            </span>
            <span className="muted">{needs}</span>
          </li>
        ))}
      </ul>
    </section>
  )
