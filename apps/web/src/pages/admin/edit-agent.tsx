import { Choice } from '../../components/choice.tsx'
import { EditedForm } from '../../components/edited-form.tsx'
import { ReadDialog } from '../../components/read-dialog.tsx'
import { type Agent, type Preset, usePresets } from '../../data/access.ts'
import { client } from '../../data/client.ts'
import { hasTexts, useDraft } from '../../data/drafts.ts'
import { readWithTag } from '../../data/tagged.ts'
import { messages } from '../../messages/messages.ts'
import { AgentTexts, agentTextsIn } from './agent-texts.tsx'
import { deviationsFrom, type Flags, isFlags, withDeviations } from './deviations.ts'
import { PermissionTree } from './permission-tree.tsx'
import { fullControl, permissionTree } from './preset-flags.ts'

const texts = messages.administration

/** The changes to an agent; its rights are included only if they changed. */
type WrittenAgent = Omit<Parameters<typeof client.updateAgent>[0], 'agent_id'>

type ReadAgent = Agent & { readonly tag: string }

interface EditAgentProps {
  readonly agentId: string
  /** Nobody may change their own rights: for the person's own agent, only the texts are shown. */
  readonly isMe: boolean
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}

/** Changes the name, purpose and permissions of an agent. */
export function EditAgent({ agentId: agent_id, isMe, onClose, onSaved }: EditAgentProps) {
  const { data: presets } = usePresets()
  const read = () => readWithTag(options => client.getAgent({ agent_id }, options))
  const write = async (changes: WrittenAgent, ifMatch: string) => {
    await client.updateAgent({ agent_id, ...changes }, { ifMatch })
    await onSaved()
  }
  return (
    <ReadDialog title={texts.editAgent} read={read} onClose={onClose}>
      {from =>
        presets !== undefined && (
          <AgentForm from={from} isMe={isMe} presets={presets} read={read} write={write} onClose={onClose} />
        )
      }
    </ReadDialog>
  )
}

interface AgentFormProps {
  readonly from: ReadAgent
  readonly isMe: boolean
  readonly presets: readonly Preset[]
  readonly read: () => Promise<ReadAgent>
  readonly write: (changes: WrittenAgent, ifMatch: string) => Promise<unknown>
  readonly onClose: () => void
}

function AgentForm({ from, isMe, presets, read, write, onClose }: AgentFormProps) {
  const rights = useAgentRights(from, presets)
  return (
    <EditedForm
      draft={`agent:${from.id}`}
      from={from}
      read={read}
      write={write}
      writtenIn={fields => ({ ...agentTextsIn(fields), ...rights.changed })}
      wordsFor={state => wordsFor(state, presets)}
      forget={rights.forget}
      onClose={onClose}
    >
      <AgentTexts from={from} />
      {isMe ? <p className="muted">{texts.ownRights}</p> : <RightsFields rights={rights} presets={presets} />}
    </EditedForm>
  )
}

/** The chosen rights of an agent. */
interface Rights {
  readonly presetId: string
  readonly flags: Flags
}

const isRights = (value: unknown): value is Rights =>
  hasTexts(value, 'presetId') && 'flags' in value && isFlags(value.flags)

type AgentRights = ReturnType<typeof useAgentRights>

/** The preset of an agent and its deviations, as they are edited. */
function useAgentRights(from: Agent, presets: readonly Preset[]) {
  const firstId = presetIdOf(from, presets)
  const firstFlags = flagsOf(firstId, presets)
  const draft = useDraft(`agent-rights:${from.id}`, isRights)
  const presetId = draft.value?.presetId ?? firstId
  const flags =
    draft.value?.flags ?? (firstFlags && withDeviations(firstFlags, from.permission_flags ?? {}, permissionTree))
  const presetFlags = flagsOf(presetId, presets)
  return {
    presetId,
    presetFlags,
    /** Undefined while the preset is one that the person may not see. */
    flags,
    setPreset(id: string) {
      // The service removes the deviations together with the preset that they belonged to.
      const flags = flagsOf(id, presets)
      if (flags !== undefined) draft.keep({ presetId: id, flags })
    },
    setFlags(next: Flags) {
      draft.keep({ presetId, flags: next })
    },
    forget: draft.forget,
    /** The changed fields, which are sent. */
    changed: {
      ...(presetId !== firstId && { preset_id: presetId }),
      ...(draft.value !== undefined &&
        flags !== undefined &&
        presetFlags !== undefined && { permission_flags: deviationsFrom(presetFlags, flags, permissionTree) }),
    },
  }
}

/** The preset of an agent; Full Control for an agent without a preset. */
const presetIdOf = ({ preset_id }: Agent, presets: readonly Preset[]): string =>
  preset_id ?? presets.find(({ name, is_builtin }) => is_builtin && name === texts.fullControl)?.id ?? ''

const flagsOf = (presetId: string, presets: readonly Preset[]): Flags | undefined =>
  presetId === '' ? fullControl : presets.find(({ id }) => id === presetId)?.flags

interface RightsFieldsProps {
  readonly rights: AgentRights
  readonly presets: readonly Preset[]
}

const RightsFields = ({ rights, presets }: RightsFieldsProps) => (
  <>
    <Choice
      label={texts.preset}
      value={rights.presetFlags === undefined ? '' : rights.presetId}
      options={presets.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={rights.setPreset}
      {...(rights.presetFlags === undefined && { none: texts.unseenPreset })}
    />
    {rights.flags !== undefined && (
      <fieldset className="choices stack">
        <legend>{texts.deviations}</legend>
        <p className="muted">{texts.deviationsLead}</p>
        <PermissionTree
          flags={rights.flags}
          other={rights.presetFlags}
          otherSays={texts.ofPreset}
          onChange={rights.setFlags}
        />
      </fieldset>
    )}
  </>
)

/** The form of an agent as text, line by line. */
function wordsFor(agent: Agent, presets: readonly Preset[]): string {
  const { name, description, objective, permission_flags } = agent
  const preset = presets.find(({ id }) => id === presetIdOf(agent, presets))?.name ?? ''
  const own = Object.entries(permission_flags ?? {}).map(
    ([permission, isAllowed]) =>
      `${messages.permissions.may(permission)} (${permission}): ${isAllowed ? texts.allowed : texts.denied}`,
  )
  return [name, description ?? '', objective ?? '', preset, ...own].join('\n')
}
