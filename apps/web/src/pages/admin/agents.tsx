import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionMenu, useActing } from '../../components/action-menu.tsx'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { Person } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Submit } from '../../components/submit.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { type Agent, useAgents, usePresets } from '../../data/access.ts'
import { useBoards } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useMe } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { AgentTexts, agentTextsIn } from './agent-texts.tsx'
import { BoardChoices } from './board-choices.tsx'
import { EditAgent } from './edit-agent.tsx'
import { NewKey } from './new-key.tsx'

const texts = messages.administration

interface MadeKey {
  readonly name: string
  readonly apiKey: string
}

/** The agents, their kinds and when they were last seen; new keys are shown once. */
export function Agents() {
  const { data: agents, error } = useAgents()
  const { data: presets } = usePresets()
  const [isMaking, setMaking] = useState(false)
  const [newKey, setNewKey] = useState<MadeKey>()
  const presetOf = ({ preset_id, permission_flags }: Agent): string => {
    const name = presets?.find(({ id }) => id === preset_id)?.name ?? texts.fullControl
    return permission_flags === null ? name : texts.customized(name)
  }
  const show = (name: string, key: string | null) => {
    setMaking(false)
    if (key !== null) setNewKey({ name, apiKey: key })
  }
  return (
    <>
      <div className="row">
        <p className="muted grow">{texts.agentsLead}</p>
        <Button needs={['AGENTS_CREATE']} className="button primary" onClick={() => setMaking(true)}>
          <Icon name="plus" /> {texts.newAgent}
        </Button>
      </div>
      <Failure error={error} />
      <Table
        caption={texts.agents}
        rows={agents ?? []}
        keyOf={agent => agent.id}
        columns={[
          { label: texts.agent, cell: agent => <Person name={agent.name} /> },
          { label: texts.preset, cell: presetOf },
          { label: texts.key, cell: agent => <code>{agent.api_key_prefix}…</code> },
          {
            label: texts.expires,
            isUsual: agent => agent.key_expires_at === null,
            cell: agent => (agent.key_expires_at === null ? texts.never : <Time at={agent.key_expires_at} />),
          },
          {
            label: texts.lastUsed,
            cell: agent => (agent.last_used_at === null ? texts.neverUsed : <Time at={agent.last_used_at} />),
          },
          {
            label: texts.state,
            isUsual: ({ is_active }) => is_active,
            cell: ({ is_active }) => (
              <span className={is_active ? 'badge green' : 'badge'}>{is_active ? texts.active : texts.inactive}</span>
            ),
          },
          {
            label: texts.actions,
            isAside: true,
            cell: agent => <AgentActions agent={agent} onKey={key => show(agent.name, key)} />,
          },
        ]}
      />
      {isMaking && <NewAgent onClose={() => setMaking(false)} onMade={show} />}
      {newKey !== undefined && <NewKey {...newKey} onClose={() => setNewKey(undefined)} />}
    </>
  )
}

interface AgentActionsProps {
  readonly agent: Agent
  readonly onKey: (key: string | null) => void
}

type AgentDialog = 'edit' | 'key' | 'delete' | 'convert'

function AgentActions({ agent, onKey }: AgentActionsProps) {
  const queries = useQueryClient()
  const me = useMe()
  const [dialog, setDialog] = useState<AgentDialog>()
  const refresh = () => queries.invalidateQueries({ queryKey: keys.service('agents') })
  const acting = useActing(async () => {
    await refresh()
    setDialog(undefined)
  })
  const isMe = agent.id === me.agent_id
  const openDialog = (kind: AgentDialog) => () => setDialog(kind)
  return (
    <>
      <ActionMenu label={texts.actionsOf(agent.name)}>
        {choose => (
          <>
            <MenuItem needs={[isMe ? 'AGENTS_UPDATE_SELF' : 'AGENTS_UPDATE']} onSelect={choose(openDialog('edit'))}>
              {texts.edit}
            </MenuItem>
            <MenuItem needs={['AGENTS_REGENERATE_KEY']} onSelect={choose(openDialog('key'))}>
              {texts.newKey}
            </MenuItem>
            {!isMe && (
              <>
                <MenuItem
                  needs={['AGENTS_UPDATE']}
                  onSelect={choose(() =>
                    acting.mutate(() => client.updateAgent({ agent_id: agent.id, is_active: !agent.is_active })),
                  )}
                >
                  {agent.is_active ? texts.deactivate : texts.activate}
                </MenuItem>
                {agent.kind === 'agent' && (
                  <MenuItem needs={['PEOPLE_MANAGE']} onSelect={choose(openDialog('convert'))}>
                    {messages.people.convert}
                  </MenuItem>
                )}
                <MenuItem needs={['AGENTS_DELETE']} onSelect={choose(openDialog('delete'))}>
                  {texts.delete}
                </MenuItem>
              </>
            )}
          </>
        )}
      </ActionMenu>
      {dialog === undefined && <Failure error={acting.error} />}
      {dialog === 'edit' && (
        <EditAgent agentId={agent.id} isMe={isMe} onClose={() => setDialog(undefined)} onSaved={refresh} />
      )}
      {dialog === 'key' && (
        <Dialog title={texts.newKeyFor(agent.name)} onClose={() => setDialog(undefined)}>
          <KeyForm
            draft={`new-key:${agent.id}`}
            lead={isMe ? texts.newKeyOfMine : texts.newKeyLead}
            onSubmit={async terms => {
              const { api_key } = await client.regenerateAgentKey({ agent_id: agent.id, ...terms })
              await refresh()
              setDialog(undefined)
              onKey(api_key)
            }}
          />
        </Dialog>
      )}
      {dialog === 'convert' && (
        <Confirm
          title={messages.people.convertOf(agent.name)}
          lead={messages.people.convertLead}
          action={messages.people.convert}
          onConfirm={() => acting.mutateAsync(() => client.convertAgentToPerson({ agent_id: agent.id }))}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={texts.deleteAgent(agent.name)}
          lead={texts.deleteLead}
          action={texts.delete}
          onConfirm={() => acting.mutateAsync(() => client.deleteAgent({ agent_id: agent.id }))}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}

interface KeyTerms {
  readonly expires_in_days?: number
  readonly overlap_minutes?: number
}

/** A number from a form field, under the field's name; empty if the field is empty. */
const typed = (form: FormData, name: keyof KeyTerms): KeyTerms => {
  const text = String(form.get(name) ?? '')
  return text === '' ? {} : { [name]: Number(text) }
}

interface KeyFormProps {
  readonly draft: string
  readonly lead: string
  readonly onSubmit: (terms: KeyTerms) => Promise<void>
}

function KeyForm({ draft, lead, onSubmit }: KeyFormProps) {
  const making = useMutation({ mutationFn: onSubmit })
  const send = (fields: FormData) =>
    making.mutateAsync({ ...typed(fields, 'expires_in_days'), ...typed(fields, 'overlap_minutes') })
  return (
    <Form draft={draft} onSend={send}>
      <p>{lead}</p>
      <InputField label={texts.overlap} type="number" name="overlap_minutes" min={0} max={1440} defaultValue={0} />
      <Expiry />
      <Submit sending={making}>{texts.newKey}</Submit>
    </Form>
  )
}

const Expiry = () => (
  <InputField
    label={texts.expiresInDays}
    type="number"
    name="expires_in_days"
    min={1}
    max={3650}
    placeholder={texts.never}
  />
)

interface NewAgentProps {
  readonly onClose: () => void
  readonly onMade: (name: string, key: string | null) => void
}

function NewAgent({ onClose, onMade }: NewAgentProps) {
  const queries = useQueryClient()
  const { data: presets } = usePresets()
  const { data: boards = [] } = useBoards()
  const making = useMutation({
    mutationFn: async (form: FormData) => {
      const preset = String(form.get('preset'))
      const agent = await client.createAgent({
        ...agentTextsIn(form),
        preset_id: preset === '' ? null : preset,
        board_ids: form.getAll('board').map(String),
        ...typed(form, 'expires_in_days'),
      })
      await queries.invalidateQueries({ queryKey: keys.service('agents') })
      onMade(agent.name, agent.api_key)
    },
  })
  return (
    <Dialog title={texts.newAgent} onClose={onClose}>
      <Form draft="new-agent" className="stack scrolls" onSend={making.mutateAsync}>
        <AgentTexts />
        <Choice
          // The new key renders the choice again once there are options, so that a kept value can be applied.
          key={String(presets === undefined)}
          label={texts.preset}
          name="preset"
          options={(presets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <BoardChoices legend={texts.grantBoards} boards={boards} />
        <Expiry />
        <Submit sending={making}>{texts.createAgent}</Submit>
      </Form>
    </Dialog>
  )
}
