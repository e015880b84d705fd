import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Submit } from '../../components/submit.tsx'
import { client } from '../../data/client.ts'
import { type ChannelType, type Notifications, ownKeys } from '../../data/me.ts'
import { messages } from '../../messages/messages.ts'
import { mayAskForPush, needsHomeScreen, subscriptionOf } from './push.ts'

const texts = messages.me

/** The field that each channel asks for; push and Telegram ask for none. */
const requiredField: Readonly<Partial<Record<ChannelType, 'email' | 'url'>>> = {
  email: 'email',
  slack: 'url',
  discord: 'url',
  teams: 'url',
}

const types = ['email', 'slack', 'discord', 'telegram', 'teams'] as const satisfies readonly ChannelType[]

interface AddChannelProps {
  readonly settings: Notifications
}

/** The channels that are available here, each with its form. */
export function AddChannel({ settings }: AddChannelProps) {
  const queries = useQueryClient()
  const [type, setType] = useState<ChannelType>()
  const adding = useMutation({
    mutationFn: async (body: Parameters<typeof client.createNotificationChannel>[0]) => {
      await client.createNotificationChannel(body)
      await queries.invalidateQueries({ queryKey: ownKeys.notifications })
      setType(undefined)
    },
  })
  const field = type === undefined ? undefined : requiredField[type]
  return (
    <Section title={texts.addChannel}>
      {settings.types.push && settings.push_public_key !== null && (
        <PushHere publicKey={settings.push_public_key} onSubscribed={adding.mutateAsync} />
      )}
      <div className="row wrap">
        {types
          .filter(each => settings.types[each])
          .map(each => (
            <button
              key={each}
              type="button"
              className="button"
              aria-pressed={each === type}
              disabled={adding.isPending}
              onClick={() => (requiredField[each] === undefined ? adding.mutate({ type: each }) : setType(each))}
            >
              {texts.add(texts.types[each])}
            </button>
          ))}
      </div>
      {type === undefined || field === undefined ? (
        <Failure error={adding.error} />
      ) : (
        <Form
          key={type}
          draft={`add-channel:${type}`}
          className="stack narrow"
          onSend={fields => adding.mutateAsync({ type, [field]: String(fields.get(field)).trim() })}
        >
          <InputField label={field === 'email' ? texts.email : texts.url} type={field} name={field} required />
          <Submit sending={adding}>{texts.add(texts.types[type])}</Submit>
        </Form>
      )}
    </Section>
  )
}

interface PushHereProps {
  readonly publicKey: string
  readonly onSubscribed: (body: Parameters<typeof client.createNotificationChannel>[0]) => Promise<void>
}

/** Asks for permission to send notifications to this browser: by a button, never on arrival (people 5.7). */
function PushHere({ publicKey, onSubscribed }: PushHereProps) {
  const asking = useMutation({
    mutationFn: async () => {
      const subscription = await subscriptionOf(publicKey)
      if (subscription === undefined) throw new Error(texts.pushDenied)
      await onSubscribed({ type: 'push', subscription })
    },
  })
  if (needsHomeScreen()) return <p className="notice">{texts.pushNeedsHome}</p>
  if (!mayAskForPush()) return null
  return (
    <>
      <div className="row">
        <button type="button" className="button primary" disabled={asking.isPending} onClick={() => asking.mutate()}>
          {texts.pushHere}
        </button>
      </div>
      <Failure error={asking.error} />
    </>
  )
}
