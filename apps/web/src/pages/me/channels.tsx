import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionMenu, useActing } from '../../components/action-menu.tsx'
import { Choice } from '../../components/choice.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Submit } from '../../components/submit.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { client } from '../../data/client.ts'
import { inboxKinds } from '../../data/inbox.ts'
import { type Channel, ownKeys } from '../../data/me.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.me

const nameOfChannel = ({ name, type }: Channel): string => (name === '' ? texts.types[type] : name)

/** The person's channels and their state. */
export const Channels = ({ channels }: { readonly channels: readonly Channel[] }) => (
  <Table
    caption={texts.channels}
    rows={channels}
    keyOf={({ id }) => id}
    columns={[
      {
        label: texts.channel,
        cell: channel => (
          <>
            {nameOfChannel(channel)} <span className="muted">{channel.target}</span>
          </>
        ),
      },
      { label: texts.state, cell: channel => <State channel={channel} /> },
      { label: texts.when, cell: ({ mode }) => texts.modes[mode] },
      {
        label: texts.lastUsed,
        cell: ({ last_success_at }) => (last_success_at === null ? '' : <Time at={last_success_at} />),
      },
      { label: texts.actions, cell: channel => <ChannelActions channel={channel} /> },
    ]}
  />
)

function State({ channel }: { readonly channel: Channel }) {
  const { active, verified, failing_since, disabled_reason, connect_url } = channel
  if (disabled_reason !== null) return <span className="refusal">{texts.disabled(disabled_reason)}</span>
  if (!active) return <span className="badge">{texts.states.off}</span>
  if (connect_url !== null)
    return (
      <a className="button" href={connect_url} target="_blank" rel="noopener noreferrer">
        {texts.connectTelegram}
      </a>
    )
  if (!verified) return <CodeForm channel={channel} />
  if (failing_since !== null) return <span className="badge red">{texts.states.failing}</span>
  return <span className="badge green">{texts.states.on}</span>
}

/** The form for the code that was mailed to confirm an address. */
function CodeForm({ channel: { id } }: { readonly channel: Channel }) {
  const queries = useQueryClient()
  const confirming = useMutation({
    mutationFn: async (fields: FormData) => {
      await client.confirmNotificationChannel({ channel_id: id, code: String(fields.get('code')).trim() })
      await queries.invalidateQueries({ queryKey: ownKeys.notifications })
    },
  })
  return (
    <Form draft={`channel-code:${id}`} className="row wrap" onSend={confirming.mutateAsync}>
      <InputField label={texts.code} name="code" required inputMode="numeric" autoComplete="one-time-code" size={10} />
      <Submit sending={confirming}>{texts.confirm}</Submit>
    </Form>
  )
}

type ChannelDialog = 'edit' | 'delete'

function ChannelActions({ channel }: { readonly channel: Channel }) {
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<ChannelDialog>()
  const { id: channel_id, active } = channel
  const name = nameOfChannel(channel)
  const refresh = () => queries.invalidateQueries({ queryKey: ownKeys.notifications })
  const acting = useActing(refresh)
  const close = () => setDialog(undefined)
  const test = async () => {
    await client.testNotificationChannel({ channel_id })
    toast(texts.tested)
  }
  return (
    <>
      <ActionMenu label={texts.actionsOf(name)}>
        {choose => (
          <>
            <MenuItem onSelect={choose(() => setDialog('edit'))}>{texts.edit}</MenuItem>
            <MenuItem onSelect={choose(() => acting.mutate(test))}>{texts.test}</MenuItem>
            <MenuItem
              onSelect={choose(() =>
                acting.mutate(() => client.updateNotificationChannel({ channel_id, active: !active })),
              )}
            >
              {active ? texts.switchOff : texts.switchOn}
            </MenuItem>
            <MenuItem onSelect={choose(() => setDialog('delete'))}>{texts.remove}</MenuItem>
          </>
        )}
      </ActionMenu>
      <Failure error={acting.error} />
      {dialog === 'edit' && <EditChannel channel={channel} onClose={close} onSaved={refresh} />}
      {dialog === 'delete' && (
        <Confirm
          title={texts.removeChannel(name)}
          lead={texts.removeChannelLead}
          action={texts.remove}
          onConfirm={() => acting.mutateAsync(() => client.deleteNotificationChannel({ channel_id }))}
          onClose={close}
        />
      )}
    </>
  )
}

interface EditChannelProps {
  readonly channel: Channel
  readonly onClose: () => void
  readonly onSaved: () => Promise<unknown>
}

/** What a channel sends, one sentence for each kind, and when. */
function EditChannel({ channel, onClose, onSaved }: EditChannelProps) {
  const { id: channel_id, kinds, mode } = channel
  const isAll = kinds.includes('*')
  const saving = useMutation({
    mutationFn: async (fields: FormData) => {
      const chosen = inboxKinds.filter(kind => fields.getAll('kind').includes(kind))
      await client.updateNotificationChannel({
        channel_id,
        name: String(fields.get('name')),
        kinds: fields.get('all') === null ? chosen : ['*'],
        mode: fields.get('mode') === 'digest' ? 'digest' : 'now',
      })
      await onSaved()
      onClose()
    },
  })
  return (
    <Dialog title={nameOfChannel(channel)} onClose={onClose}>
      <Form draft={`channel:${channel_id}`} className="stack scrolls" onSend={saving.mutateAsync}>
        <InputField label={texts.channelName} name="name" maxLength={80} defaultValue={channel.name} />
        <Choice
          label={texts.when}
          name="mode"
          defaultValue={mode}
          options={[
            { value: 'now', label: texts.modes.now },
            { value: 'digest', label: texts.modes.digest },
          ]}
        />
        <fieldset className="choices">
          <legend>{texts.kinds}</legend>
          <label className="row">
            <Input type="checkbox" name="all" defaultChecked={isAll} />
            {texts.all}
          </label>
          {inboxKinds.map(kind => (
            <label key={kind} className="row">
              <Input type="checkbox" name="kind" value={kind} defaultChecked={isAll || kinds.includes(kind)} />
              {texts.sentence(kind)}
            </label>
          ))}
        </fieldset>
        <Submit sending={saving}>{messages.shell.save}</Submit>
      </Form>
    </Dialog>
  )
}
