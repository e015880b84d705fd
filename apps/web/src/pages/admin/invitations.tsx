import { ClientError } from '@specboard/client/calls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { Copied } from '../../components/copied.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Submit } from '../../components/submit.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { usePresets } from '../../data/access.ts'
import { useBoards } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { isDetail } from '../../data/gate-facts.ts'
import { type Invitation, peopleKeys, useInvitations } from '../../data/people.ts'
import { messages } from '../../messages/messages.ts'
import { BoardChoices } from './board-choices.tsx'

const texts = messages.people

const nameOf = ({ name, email }: Pick<Invitation, 'name' | 'email'>): string => name ?? email ?? texts.somebody

interface NewInvitation {
  readonly name: string
  readonly url: string
}

/** Whether a call was refused because the service does not know the address for links in mail (people 2.6). */
const lacksAddress = (error: unknown): boolean =>
  error instanceof ClientError && isDetail(error.detail) && error.detail.entity_id === 'SPECBOARD_PUBLIC_URL'

/** Open invitations, and a form to invite somebody (people 2.6). */
export function Invitations() {
  const queries = useQueryClient()
  const { data: invitations = [], error } = useInvitations()
  const { data: presets } = usePresets()
  const [isInviting, setInviting] = useState(false)
  const [newInvitation, setNewInvitation] = useState<NewInvitation>()
  const refresh = () => queries.invalidateQueries({ queryKey: peopleKeys.invitations })
  const revoking = useMutation({
    mutationFn: (invitation_id: string) => client.revokeInvitation({ invitation_id }),
    onSettled: refresh,
  })
  return (
    <Section
      title={texts.invitations}
      actions={
        error === null && (
          <button type="button" className="button" onClick={() => setInviting(true)}>
            <Icon name="plus" /> {texts.invite}
          </button>
        )
      }
    >
      {lacksAddress(error) ? <p className="muted">{texts.noAddress}</p> : <Failure error={error ?? revoking.error} />}
      {error === null && invitations.length === 0 && <p className="muted">{texts.noInvitations}</p>}
      {invitations.length > 0 && (
        <Table
          caption={texts.invitations}
          rows={invitations}
          keyOf={({ id }) => id}
          columns={[
            { label: texts.name, cell: invitation => <bdi>{nameOf(invitation)}</bdi> },
            { label: texts.preset, cell: ({ preset_id }) => presets?.find(({ id }) => id === preset_id)?.name ?? '' },
            { label: texts.expires, cell: ({ expires_at }) => <Time at={expires_at} /> },
            {
              label: texts.revoke,
              cell: invitation => (
                <button
                  type="button"
                  className="button quiet"
                  aria-label={texts.revokeOf(nameOf(invitation))}
                  disabled={revoking.isPending}
                  onClick={() => revoking.mutate(invitation.id)}
                >
                  {texts.revoke}
                </button>
              ),
            },
          ]}
        />
      )}
      {isInviting && (
        <Invite
          onClose={() => setInviting(false)}
          onMade={async invitation => {
            await refresh()
            setInviting(false)
            setNewInvitation(invitation)
          }}
        />
      )}
      {newInvitation !== undefined && (
        <Dialog
          title={texts.invitationOf(newInvitation.name)}
          leave={messages.shell.haveIt}
          onClose={() => setNewInvitation(undefined)}
        >
          <p>{texts.linkOnce}</p>
          <Copied label={texts.link} text={newInvitation.url} />
          <QrCode label={messages.me.qr} text={newInvitation.url} />
        </Dialog>
      )}
    </Section>
  )
}

interface InviteProps {
  readonly onClose: () => void
  readonly onMade: (invitation: NewInvitation) => Promise<void>
}

function Invite({ onClose, onMade }: InviteProps) {
  const { data: presets } = usePresets()
  const { data: boards = [] } = useBoards()
  const inviting = useMutation({
    mutationFn: async (fields: FormData) => {
      const text = (name: string) => String(fields.get(name)).trim()
      const invitation = await client.createInvitation({
        ...(text('name') !== '' && { name: text('name') }),
        ...(text('email') !== '' && { email: text('email') }),
        preset_id: text('preset'),
        boards: fields.getAll('board').map(id => ({ board_id: String(id) })),
        expires_in_hours: Number(text('hours')),
      })
      await onMade({ name: nameOf(invitation), url: invitation.url ?? '' })
    },
  })
  return (
    <Dialog title={texts.invite} onClose={onClose}>
      <Form draft="invitation" className="stack scrolls" onSend={inviting.mutateAsync}>
        <InputField label={texts.name} name="name" maxLength={255} />
        <InputField label={texts.email} type="email" name="email" />
        <p className="muted">{texts.emailLead}</p>
        <Choice
          // The new key renders the choice again once there are options, so that a kept value can be applied.
          key={String(presets === undefined)}
          label={texts.preset}
          name="preset"
          options={(presets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <BoardChoices legend={texts.boards} boards={boards} />
        <InputField label={texts.validHours} type="number" name="hours" min={1} max={720} required defaultValue={72} />
        <Submit sending={inviting}>{texts.makeInvitation}</Submit>
      </Form>
    </Dialog>
  )
}
