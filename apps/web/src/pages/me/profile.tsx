import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wholeLink } from '../../base-path.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Copied } from '../../components/copied.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Submit } from '../../components/submit.tsx'
import { toast } from '../../components/toast.tsx'
import type { Agent } from '../../data/access.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { sessionKey, useMe } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { NewKey } from '../admin/new-key.tsx'
import { Accounts } from './accounts.tsx'
import { Display } from './display.tsx'

const texts = messages.me

const ownKey = keys.service('my-agent')

/** The person's name and sign-in methods. */
export function Profile() {
  const { agent_id } = useMe()
  const { data: me, error } = useQuery({ queryKey: ownKey, queryFn: () => client.getAgent({ agent_id }) })
  return (
    <>
      <Failure error={error} />
      {me !== undefined && <Names me={me} />}
      <Accounts />
      {me !== undefined && <OwnKey me={me} />}
      <OtherDevice />
      <Display />
    </>
  )
}

interface OwnProps {
  readonly me: Agent
}

function Names({ me }: OwnProps) {
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: async (fields: FormData) => {
      const [name, handle] = [String(fields.get('name')), String(fields.get('handle'))]
      await client.updateAgent({ agent_id: me.id, name, ...(handle !== '' && { handle }) })
      // Read again after the form has discarded its draft.
      void queries.invalidateQueries({ queryKey: ownKey })
      void queries.invalidateQueries({ queryKey: sessionKey })
      toast(texts.saved)
    },
  })
  return (
    <Section title={texts.parts.profile}>
      <Form key={`${me.name} ${me.handle}`} draft="my-names" className="stack narrow" onSend={saving.mutateAsync}>
        <InputField label={texts.name} name="name" required maxLength={255} defaultValue={me.name} />
        <InputField
          label={texts.handle}
          name="handle"
          required
          minLength={2}
          maxLength={32}
          defaultValue={me.handle ?? ''}
          title={texts.handleLead}
        />
        <p className="muted">{texts.handleLead}</p>
        <Submit sending={saving} needs={['AGENTS_UPDATE_SELF']}>
          {messages.shell.save}
        </Submit>
      </Form>
    </Section>
  )
}

/** The API key of a person, for scripts: created, renewed, removed. */
function OwnKey({ me }: OwnProps) {
  const queries = useQueryClient()
  const [newKey, setNewKey] = useState<string>()
  const [isAsked, setAsked] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: ownKey })
  const making = useMutation({
    mutationFn: async () => {
      const { api_key } = await client.regenerateAgentKey({ agent_id: me.id })
      await refresh()
      if (api_key !== null) setNewKey(api_key)
    },
  })
  return (
    <Section title={texts.key}>
      <p className="muted">{me.has_key ? texts.hasKey(me.api_key_prefix) : texts.noKey}</p>
      <Failure error={making.error} />
      <div className="row">
        <Button needs={['AGENTS_REGENERATE_KEY']} disabled={making.isPending} onClick={() => making.mutate()}>
          {me.has_key ? texts.renewKey : texts.makeKey}
        </Button>
        {me.has_key && (
          <Button needs={['AGENTS_REGENERATE_KEY']} className="button quiet" onClick={() => setAsked(true)}>
            {texts.removeKey}
          </Button>
        )}
      </div>
      {newKey !== undefined && <NewKey name={me.name} apiKey={newKey} onClose={() => setNewKey(undefined)} />}
      {isAsked && (
        <Confirm
          title={texts.removeKeyTitle}
          lead={texts.removeKeyLead}
          action={texts.removeKey}
          onConfirm={async () => {
            await client.regenerateAgentKey({ agent_id: me.id, remove: true })
            await refresh()
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  )
}

/** A link that signs the person in on another device. */
function OtherDevice() {
  const { agent_id } = useMe()
  const making = useMutation({ mutationFn: () => client.createSignInLink({ agent_id }) })
  const url = making.data?.url
  return (
    <Section title={texts.device}>
      <p className="muted">{texts.deviceLead}</p>
      <Failure error={making.error} />
      {url !== undefined && url !== null ? (
        <>
          <Copied label={texts.linkText} text={wholeLink(url)} />
          <QrCode label={texts.qr} text={wholeLink(url)} />
        </>
      ) : (
        <div className="row">
          <button type="button" className="button" disabled={making.isPending} onClick={() => making.mutate()}>
            {texts.makeLink}
          </button>
        </div>
      )}
    </Section>
  )
}
