import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { basePath, openPath } from '../base-path.ts'
import { useWebSession } from '../data/me.ts'
import { useSignInWays } from '../data/session.ts'
import { goToProvider } from '../data/sign-in.ts'
import { messages } from '../messages/messages.ts'
import { ChannelOff } from './channel-off.tsx'
import { IconButton } from './icon-button.tsx'
import { useIsNarrow } from './narrow.ts'
import { Failure } from './refusal.tsx'
import './folded.css'

const texts = messages.presence

/**
 * Notices for the person on every page. If the session does not prove that a person is present: that fact, with the
 * ways to sign in as oneself (people 6), on a phone as one line until it is opened. Otherwise: that a channel was
 * switched off.
 */
export function NotPresent() {
  const { data: session } = useWebSession()
  const [isClosed, setClosed] = useState(() => sessionStorage.getItem(closedKey) !== null)
  const isNarrow = useIsNarrow()
  if (session === undefined) return null
  if (session.present || isClosed) return session.kind === 'person' ? <ChannelOff /> : null
  const close = () => {
    sessionStorage.setItem(closedKey, '')
    setClosed(true)
  }
  const isPerson = session.kind === 'person'
  const says = isPerson ? texts.byKey : texts.asAgent
  if (isNarrow)
    return (
      <section className="banner short row" aria-label={texts.label}>
        <details className="folded-part grow">
          <summary>{isPerson ? texts.byKeyShort : texts.asAgentShort}</summary>
          <div className="stack">
            <p>{says}</p>
            {isPerson && <SignInOptions />}
          </div>
        </details>
        <IconButton icon="close" label={texts.close} onClick={close} />
      </section>
    )
  return (
    <section className="banner row wrap" aria-label={texts.label}>
      <span className="grow">{says}</span>
      {isPerson && <SignInOptions />}
      <button type="button" className="button quiet" onClick={close}>
        {texts.close}
      </button>
    </section>
  )
}

const closedKey = `specboard-not-present${basePath}`

/** The providers; if there are none, the command that signs in on the service's machine. */
function SignInOptions() {
  const { data: ways } = useSignInWays()
  const going = useMutation({
    mutationFn: (provider: string) => goToProvider({ provider, returnTo: openPath() + location.search }),
  })
  if (ways === undefined) return null
  return (
    <>
      {ways.providers.map(({ id, name }) => (
        <button key={id} type="button" className="button" disabled={going.isPending} onClick={() => going.mutate(id)}>
          {messages.signIn.with(name)}
        </button>
      ))}
      {ways.providers.length === 0 && (
        <span className="muted">
          {texts.byLink} <code>{messages.signIn.command}</code>
        </span>
      )}
      <Failure error={going.error} />
    </>
  )
}
