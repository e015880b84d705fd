import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { basePath } from '../base-path.ts'
import { client } from '../data/client.ts'
import { keys } from '../data/keys.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.presence

/** The day on which this browser last showed the notice. */
const toldKey = `specboard-channels-told${basePath}`

const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * A notice, shown once a day, that a channel was switched off because it failed: people who rely on it get no messages
 * (people 5.2).
 */
export function ChannelOff() {
  const [isTold, setTold] = useState(() => localStorage.getItem(toldKey) === today())
  const { data } = useQuery({
    queryKey: keys.service('my-notifications'),
    queryFn: () => client.getMyNotifications(),
    enabled: !isTold,
    retry: false,
  })
  const off =
    data?.channels.filter(({ disabled_reason, failing_since }) => disabled_reason !== null && failing_since !== null) ??
    []
  if (isTold || off.length === 0) return null
  const close = () => {
    localStorage.setItem(toldKey, today())
    setTold(true)
  }
  return (
    <section className="banner row wrap" aria-label={texts.channelLabel}>
      <span className="grow">{texts.channelOff(off.map(({ name }) => name))}</span>
      <Link className="button" href="/me/notifications" onClick={close}>
        {texts.channels}
      </Link>
      <button type="button" className="button quiet" onClick={close}>
        {texts.close}
      </button>
    </section>
  )
}
