import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Submit } from '../../components/submit.tsx'
import { toast } from '../../components/toast.tsx'
import { type Preset, usePresets } from '../../data/access.ts'
import { client } from '../../data/client.ts'
import { useDraft } from '../../data/drafts.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import { type Flags, isFlags } from './deviations.ts'
import { PermissionTree } from './permission-tree.tsx'

const texts = messages.administration

/** The dialog that is open for the shown preset. */
type OpenDialog = 'copy' | 'edit' | 'delete'

/**
 * A preset as a tree of permissions, optionally compared with another; custom ones can be created, changed and deleted.
 */
export function Presets() {
  const queries = useQueryClient()
  const { data: presets = [], error } = usePresets()
  const [shownId, setShownId] = useState<string>()
  const [otherId, setOtherId] = useState('')
  const [doing, setDoing] = useState<OpenDialog>()
  const preset = presets.find(({ id }) => id === shownId) ?? presets[0]
  const other = presets.find(({ id }) => id === otherId)
  const options = presets.map(({ id, name }) => ({ value: id, label: name }))
  const isWriting = doing === 'copy' || doing === 'edit'
  const rest = () => setDoing(undefined)
  const refresh = () => queries.invalidateQueries({ queryKey: keys.service('presets') })
  const saved = async ({ id }: Preset) => {
    await refresh()
    setShownId(id)
    rest()
    toast(texts.saved)
  }
  return (
    <>
      <Failure error={error} />
      <div className="row wrap preset-head">
        <Choice
          label={texts.preset}
          options={options}
          value={preset?.id ?? ''}
          onChange={id => {
            setShownId(id)
            rest()
          }}
        />
        <Choice
          label={texts.compareWith}
          options={options}
          value={otherId}
          onChange={setOtherId}
          none={texts.nothing}
        />
        <span className="grow" />
        {preset !== undefined && !isWriting && <PresetActions preset={preset} onDo={setDoing} />}
      </div>
      {preset !== undefined && isWriting && (
        <PresetForm
          key={`${doing} ${preset.id}`}
          from={preset}
          isNew={doing === 'copy'}
          other={other?.flags}
          onSaved={saved}
          onClose={rest}
        />
      )}
      {preset !== undefined && !isWriting && (
        <>
          <p className="muted">
            {preset.is_builtin
              ? `${texts.builtinLeads[preset.name] ?? preset.description} ${texts.builtin}`
              : preset.description}
          </p>
          <PermissionTree flags={preset.flags} other={other?.flags} />
        </>
      )}
      {preset !== undefined && doing === 'delete' && (
        <Confirm
          title={texts.deletePreset(preset.name)}
          lead={texts.deletePresetLead}
          action={texts.delete}
          onConfirm={async () => {
            await client.deletePreset({ preset_id: preset.id })
            await refresh()
          }}
          onClose={rest}
        />
      )}
    </>
  )
}

interface PresetActionsProps {
  readonly preset: Preset
  readonly onDo: (doing: OpenDialog) => void
}

const PresetActions = ({ preset, onDo }: PresetActionsProps) => (
  <div className="row wrap">
    <Button needs={['PRESETS_CREATE']} onClick={() => onDo('copy')}>
      <Icon name="plus" /> {texts.newPreset}
    </Button>
    {!preset.is_builtin && (
      <>
        <Button needs={['PRESETS_UPDATE']} onClick={() => onDo('edit')}>
          {texts.editPreset}
        </Button>
        <Button needs={['PRESETS_DELETE']} className="button quiet" onClick={() => onDo('delete')}>
          {texts.delete}
        </Button>
      </>
    )}
  </div>
)

interface PresetFormProps {
  /** The preset that is edited, or that a new one is copied from. */
  readonly from: Preset
  readonly isNew: boolean
  readonly other: Flags | undefined
  readonly onSaved: (preset: Preset) => Promise<void>
  readonly onClose: () => void
}

/** Writes a preset: its name, purpose and permissions. */
function PresetForm({ from, isNew, other, onSaved, onClose }: PresetFormProps) {
  const draft = `preset:${isNew ? 'new:' : ''}${from.id}`
  const flagsDraft = useDraft(`flags of ${draft}`, isFlags)
  const flags = flagsDraft.value ?? from.flags
  const saving = useMutation({
    mutationFn: async (fields: FormData) => {
      const values = {
        name: String(fields.get('name')).trim(),
        description: String(fields.get('description')),
        flags: { ...flags },
      }
      await onSaved(
        await (isNew ? client.createPreset(values) : client.updatePreset({ preset_id: from.id, ...values })),
      )
      flagsDraft.forget()
    },
  })
  return (
    <Form draft={draft} onSend={saving.mutateAsync} onDiscard={flagsDraft.forget}>
      {isNew && <p className="muted">{texts.newPresetLead(from.name)}</p>}
      <InputField label={texts.name} name="name" required maxLength={100} defaultValue={isNew ? '' : from.name} />
      <InputField label={texts.description} name="description" defaultValue={isNew ? '' : from.description} />
      <PermissionTree flags={flags} other={other} onChange={flagsDraft.keep} />
      <Submit sending={saving}>{isNew ? texts.createPreset : messages.shell.save}</Submit>
      <div className="row">
        <button type="button" className="button quiet" onClick={onClose}>
          {messages.shell.cancel}
        </button>
      </div>
    </Form>
  )
}
