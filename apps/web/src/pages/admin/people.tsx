import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl, wholeLink } from '../../base-path.ts'
import { ActionMenu, useActing } from '../../components/action-menu.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Copied } from '../../components/copied.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { Person } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section, SectionHeading } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import type { Agent } from '../../data/access.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { usePersons, useSignIns, wordIn } from '../../data/people.ts'
import { useMay } from '../../data/rights.ts'
import { useMe, useSignInWays } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { BoardLinks } from './board-links.tsx'
import { AllConnections } from './connections.tsx'
import { EditAgent } from './edit-agent.tsx'
import { Invitations } from './invitations.tsx'
import './people.css'

const texts = messages.people
const { administration } = messages

/** The people of the service: who they are, who is invited, and which apps act for them (people 6). */
export function People() {
  const mayInvite = useMay('PEOPLE_INVITE')
  const managesConnections = useMay('CONNECTIONS_MANAGE')
  return (
    <SectionHeading value="h2">
      <div className="people-parts">
        <Persons />
        {mayInvite && <Invitations />}
        {managesConnections && <AllConnections />}
        <ProviderList />
      </div>
    </SectionHeading>
  )
}

function Persons() {
  const { data: persons = [], error } = usePersons()
  const { data: signIns } = useSignIns(useMay('AUDIT_READ'))
  /** The method, and the provider if any, by which a person last signed in. */
  const wayOf = (id: string): string => {
    const last = signIns?.signedIn.find(({ target_id }) => target_id === id)
    const via = last && wordIn(last, 'via')
    return via === undefined ? '' : (wordIn(last!, 'provider') ?? texts.ways[via] ?? via)
  }
  return (
    <Section title={texts.persons}>
      <p className="muted">{texts.lead}</p>
      <Failure error={error} />
      <Table
        caption={texts.persons}
        rows={persons}
        keyOf={({ id }) => id}
        columns={[
          { label: texts.person, cell: ({ name }) => <Person name={name} /> },
          { label: texts.handle, cell: ({ handle }) => (handle === null ? '' : `@${handle}`) },
          { label: texts.email, cell: ({ email }) => email ?? '' },
          { label: texts.preset, cell: ({ preset_name }) => preset_name },
          { label: texts.boards, cell: ({ boards = [] }) => <BoardLinks boards={boards} /> },
          { label: texts.signsInBy, cell: ({ id }) => wayOf(id) },
          {
            label: administration.lastUsed,
            cell: ({ last_used_at }) => (last_used_at === null ? administration.neverUsed : <Time at={last_used_at} />),
          },
          {
            label: administration.state,
            cell: ({ is_active }) => (
              <span className={is_active ? 'badge green' : 'badge'}>
                {is_active ? administration.active : administration.inactive}
              </span>
            ),
          },
          { label: administration.actions, isAside: true, cell: person => <PersonActions person={person} /> },
        ]}
      />
    </Section>
  )
}

type PersonDialog = 'edit' | 'sessions'

function PersonActions({ person }: { readonly person: Agent }) {
  const queries = useQueryClient()
  const { agent_id: mine } = useMe()
  const [dialog, setDialog] = useState<PersonDialog>()
  const [link, setLink] = useState<string>()
  const { id: agent_id, name, is_active } = person
  const refresh = () => queries.invalidateQueries({ queryKey: keys.service('agents') })
  const acting = useActing(refresh)
  const close = () => setDialog(undefined)
  const makeLink = async () => {
    const { url } = await client.createSignInLink({ agent_id })
    if (url !== null) setLink(wholeLink(url))
  }
  return (
    <>
      <ActionMenu label={administration.actionsOf(name)}>
        {choose => (
          <>
            {agent_id !== mine && (
              <MenuItem needs={['PEOPLE_MANAGE']} onSelect={choose(() => setDialog('edit'))}>
                {administration.edit}
              </MenuItem>
            )}
            <MenuItem needs={['PEOPLE_MANAGE']} onSelect={choose(() => acting.mutate(makeLink))}>
              {texts.signInLink}
            </MenuItem>
            <MenuItem needs={['PEOPLE_MANAGE']} onSelect={choose(() => setDialog('sessions'))}>
              {texts.endSessions}
            </MenuItem>
            {agent_id !== mine && (
              <MenuItem
                needs={['PEOPLE_MANAGE']}
                onSelect={choose(() => acting.mutate(() => client.updateAgent({ agent_id, is_active: !is_active })))}
              >
                {is_active ? administration.deactivate : administration.activate}
              </MenuItem>
            )}
          </>
        )}
      </ActionMenu>
      <Failure error={acting.error} />
      {dialog === 'edit' && <EditAgent agentId={agent_id} isMe={false} onClose={close} onSaved={refresh} />}
      {dialog === 'sessions' && (
        <Confirm
          title={texts.endSessionsOf(name)}
          lead={texts.endSessionsLead}
          action={texts.endSessions}
          onConfirm={() => client.endSessions({ agent_id })}
          onClose={close}
        />
      )}
      {link !== undefined && (
        <Dialog title={texts.linkFor(name)} leave={messages.shell.haveIt} onClose={() => setLink(undefined)}>
          <p>{messages.me.deviceLead}</p>
          <Copied label={texts.link} text={link} />
        </Dialog>
      )}
    </>
  )
}

/** The public information about the providers, each with the redirect address to register there. */
function ProviderList() {
  const { data: ways } = useSignInWays()
  const { data: signIns } = useSignIns(useMay('AUDIT_READ'))
  if (ways === undefined || ways.providers.length === 0) return null
  return (
    <Section title={texts.providers}>
      <p className="muted">{texts.providersLead}</p>
      {ways.providers.map(({ id, name }) => (
        <div key={id} className="stack">
          <strong>{name}</strong>
          <Copied label={texts.redirect(name)} text={`${serviceUrl}/web/session/oidc/${id}/callback`} />
          {signIns !== undefined && <LastAt provider={id} signIns={signIns} />}
        </div>
      ))}
    </Section>
  )
}

interface LastAtProps {
  readonly provider: string
  readonly signIns: NonNullable<ReturnType<typeof useSignIns>['data']>
}

/** When somebody last signed in at a provider, and when and why a sign-in was last refused. */
function LastAt({ provider, signIns: { signedIn, refused } }: LastAtProps) {
  const ofProvider = (entries: LastAtProps['signIns']['signedIn']) =>
    entries.find(entry => wordIn(entry, 'provider') === provider)
  const [success, refusal] = [ofProvider(signedIn), ofProvider(refused)]
  return (
    <p className="muted">
      {texts.lastSuccess} {success === undefined ? texts.none : <Time at={success.at} />} · {texts.lastRefusal}{' '}
      {refusal === undefined ? (
        texts.none
      ) : (
        <>
          <Time at={refusal.at} /> ({wordIn(refusal, 'reason') ?? ''})
        </>
      )}
    </p>
  )
}
