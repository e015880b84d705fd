import { useContext, useState } from 'react'
import { MeContext } from '../data/session.ts'
import { unsentAt } from '../data/unsent.ts'
import { messages } from '../messages/messages.ts'
import { Copied } from './copied.tsx'

const texts = messages.shell.draft.unsent

/** What the person wrote at this address and did not send, where its record or board is gone. */
export default function Unsent() {
  const me = useContext(MeContext)
  const [drafts, setDrafts] = useState(() => (me === null ? [] : unsentAt(me.agent_id)))
  if (drafts.length === 0) return null
  return (
    <section className="stack" aria-labelledby="unsent-title">
      <h2 id="unsent-title">{texts.title}</h2>
      <p className="muted">{texts.lead}</p>
      {drafts.map(draft => (
        <div key={draft.name} className="stack">
          <Copied label={texts.label} text={draft.text} />
          <div className="row">
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                draft.place.forget()
                setDrafts(now => now.filter(other => other !== draft))
              }}
            >
              {messages.shell.draft.discard}
            </button>
          </div>
        </div>
      ))}
    </section>
  )
}
