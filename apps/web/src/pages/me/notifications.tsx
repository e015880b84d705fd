import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Choice } from '../../components/choice.tsx'
import { InputField, TimeField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Submit } from '../../components/submit.tsx'
import { toast } from '../../components/toast.tsx'
import { useBoards } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { type Notifications, ownKeys, useMyNotifications } from '../../data/me.ts'
import { messages } from '../../messages/messages.ts'
import { AddChannel } from './add-channel.tsx'
import { Channels } from './channels.tsx'

const texts = messages.me

/** The person's notifications about waiting items, outside the board. */
export function NotificationSettings() {
  const { data, error } = useMyNotifications()
  return (
    <>
      <Failure error={error} />
      {data !== undefined && (
        <>
          <Section title={texts.channels}>
            {data.channels.length === 0 ? (
              <p className="muted">{texts.noChannels}</p>
            ) : (
              <Channels channels={data.channels} />
            )}
          </Section>
          <AddChannel settings={data} />
          <Hours key={JSON.stringify(data.quiet_hours)} settings={data} />
        </>
      )}
    </>
  )
}

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Quiet hours, the time of the daily summary, and the content of messages. */
function Hours({ settings }: { readonly settings: Notifications }) {
  const queries = useQueryClient()
  const { data: boards = [] } = useBoards()
  const { quiet_hours: quiet, digest_at, time_zone, content, muted_boards } = settings
  const saving = useMutation({
    mutationFn: async (fields: FormData) => {
      const text = (name: string) => String(fields.get(name))
      await client.updateMyNotifications({
        quiet_hours: fields.get('quiet') === null ? null : { ...quiet, from: text('from'), to: text('to') },
        digest_at: text('digest_at'),
        time_zone: text('time_zone'),
        content: text('content') === 'ref' ? 'ref' : 'title',
        muted_boards: fields.getAll('muted').map(String),
      })
      // Read again after the form has discarded its draft.
      void queries.invalidateQueries({ queryKey: ownKeys.notifications })
      toast(texts.saved)
    },
  })
  return (
    <Section title={texts.quiet}>
      <Form draft="my-notifications" className="stack narrow" onSend={saving.mutateAsync}>
        <label className="row">
          <Input type="checkbox" name="quiet" defaultChecked={quiet !== null} />
          {texts.quietOn}
        </label>
        <div className="times">
          <TimeField label={texts.from} name="from" defaultValue={quiet?.from ?? '20:00'} />
          <TimeField label={texts.to} name="to" defaultValue={quiet?.to ?? '07:00'} />
          <TimeField label={texts.digestAt} name="digest_at" defaultValue={digest_at} />
        </div>
        <InputField
          label={texts.timeZone}
          name="time_zone"
          required
          maxLength={64}
          defaultValue={time_zone === 'UTC' ? timeZone() : time_zone}
        />
        <Choice
          label={texts.content}
          name="content"
          defaultValue={content}
          options={[
            { value: 'title', label: texts.contents.title },
            { value: 'ref', label: texts.contents.ref },
          ]}
        />
        <p className="muted">
          {texts.sample} <q lang="en">{texts.samples[content]}</q>
        </p>
        <fieldset className="choices">
          <legend>{texts.muted}</legend>
          {boards.length === 0 && <p className="muted">{texts.noBoards}</p>}
          {boards.map(({ id, key, name }) => (
            <label key={id} className="row">
              <Input type="checkbox" name="muted" value={id} defaultChecked={muted_boards.includes(id)} />
              <span className="ref">{key}</span> <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
        <Submit sending={saving}>{messages.shell.save}</Submit>
      </Form>
    </Section>
  )
}
