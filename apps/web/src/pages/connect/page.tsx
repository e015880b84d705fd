import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { InputField } from '../../components/field.tsx'
import { NotPresent } from '../../components/not-present.tsx'
import { Failure } from '../../components/refusal.tsx'
import { type AppChoices, type AppRequest, choose, readAsked } from '../../data/connecting.ts'
import { useMe } from '../../data/session.ts'
import icon from '../../icon.svg'
import { messages } from '../../messages/messages.ts'
import '../sign-in/sign-in.css'

const texts = messages.connect

/** The option for an agent that is yet to be created. */
const isNew = ''

/** Asks a person whether an app may act as an agent, and on which boards (people 3.5). */
export default function ConnectPage() {
  useEffect(() => {
    document.title = `${texts.title} · ${messages.shell.product}`
  }, [])
  const { data: request, error } = useQuery({
    queryKey: ['connect', location.pathname],
    queryFn: readAsked,
    retry: false,
  })
  return (
    <main className="sign-in">
      <div className="sign-in-form stack">
        <img className="logo" src={icon} alt="" width={32} height={32} />
        <h1>{texts.title}</h1>
        <NotPresent />
        <Failure error={error} />
        {request !== undefined && <ChoiceForm request={request} />}
      </div>
    </main>
  )
}

function ChoiceForm({ request }: { readonly request: AppRequest }) {
  const { client, agents, presets, boards, previous } = request
  const { agent_name } = useMe()
  const existing = agents.find(({ id }) => id === previous?.agent_id)
  const [agent, setAgent] = useState(existing?.id ?? isNew)
  const [name, setName] = useState(texts.agentName(client.name, agent_name))
  const [preset, setPreset] = useState((presets.find(({ name }) => name === 'Executor') ?? presets[0])?.id ?? '')
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const mayWrite = request.scopes.includes('write')
  const [readOnly, setReadOnly] = useState(!mayWrite || previous?.read_only === true)
  const [confirm, setConfirm] = useState(previous?.confirm ?? true)
  const choosing = useMutation({ mutationFn: choose, onSuccess: url => location.assign(url) })
  const selected = agents.find(({ id }) => id === agent)
  const allowed = {
    agent: selected?.name ?? name,
    rights: presets.find(({ id }) => id === (selected === undefined ? preset : selected.preset_id))?.description ?? '',
    boards: boards.filter(({ id }) => selected?.boards.includes(id) ?? !excluded.has(id)).map(board => board.name),
    isReadOnly: readOnly,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const boardIds = boards.map(({ id }) => id).filter(id => !excluded.has(id))
    const chosen: AppChoices =
      agent === isNew
        ? {
            allow: true,
            new_agent: { name, preset_id: preset },
            ...(excluded.size > 0 && { board_ids: boardIds }),
            read_only: readOnly,
            confirm,
          }
        : { allow: true, agent_id: agent, read_only: readOnly, confirm }
    choosing.mutate(chosen)
  }
  const toggle = (id: string) => {
    const next = new Set(excluded)
    if (!next.delete(id)) next.add(id)
    setExcluded(next)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p>{client.verified ? texts.verified(client.name, client.host ?? '') : texts.says(client.name)}</p>
      <p className="muted">{client.loopback ? texts.local : texts.answerTo(client.redirect_host)}</p>
      {agents.length > 0 && (
        <Choice
          label={texts.actsAs}
          value={agent}
          options={[
            { value: isNew, label: texts.newAgent },
            ...agents.map(({ id, name, preset_name }) => ({ value: id, label: `${name} (${preset_name})` })),
          ]}
          onChange={setAgent}
        />
      )}
      {agent === isNew && (
        <>
          <InputField label={texts.name} required value={name} onChange={event => setName(event.target.value)} />
          <Choice
            label={texts.preset}
            value={preset}
            options={presets.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setPreset}
          />
          {boards.length > 0 && (
            <fieldset className="choices">
              <legend>{texts.boards}</legend>
              {boards.map(board => (
                <label key={board.id} className="row">
                  <input type="checkbox" checked={!excluded.has(board.id)} onChange={() => toggle(board.id)} />
                  <span>{board.name}</span>
                </label>
              ))}
            </fieldset>
          )}
        </>
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={readOnly}
          disabled={!mayWrite}
          onChange={event => setReadOnly(event.target.checked)}
        />
        <span>{texts.readOnly}</span>
      </label>
      {!readOnly && (
        <label className="row">
          <input type="checkbox" checked={confirm} onChange={event => setConfirm(event.target.checked)} />
          <span>{texts.confirm}</span>
        </label>
      )}
      <Allowed {...allowed} />
      <Failure error={choosing.error} />
      <button type="submit" className="button" disabled={choosing.isPending}>
        {texts.allow}
      </button>
      <button
        type="button"
        className="button"
        disabled={choosing.isPending}
        onClick={() => choosing.mutate({ allow: false })}
      >
        {texts.deny}
      </button>
      {choosing.isSuccess && <p className="muted">{texts.done}</p>}
    </form>
  )
}

interface AllowedProps {
  readonly agent: string
  /** The description of the preset; empty if it has none. */
  readonly rights: string
  readonly boards: readonly string[]
  readonly isReadOnly: boolean
}

/** What the app will be able to do, in words, next to the button that allows it. */
function Allowed({ agent, rights, boards, isReadOnly }: AllowedProps) {
  return (
    <section aria-label={texts.consequences} className="muted stack">
      {isReadOnly ? <p>{texts.mayReadOnly(agent)}</p> : rights !== '' && <p>{texts.may(agent, rights)}</p>}
      <p>{boards.length > 0 ? texts.on(boards) : texts.onNone}</p>
      <p>{texts.never}</p>
    </section>
  )
}
