import { useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { Failure } from '../../components/refusal.tsx'
import { usePresets } from '../../data/access.ts'
import { messages } from '../../messages/messages.ts'
import { PermissionTree } from './permission-tree.tsx'

const texts = messages.administration

/** A preset as a tree of permissions, compared with another if wanted. */
export function Presets() {
  const { data: presets = [], error } = usePresets()
  const [shownId, setShownId] = useState<string>()
  const [otherId, setOtherId] = useState('')
  const shown = presets.find(({ id }) => id === shownId) ?? presets[0]
  const other = presets.find(({ id }) => id === otherId)
  const options = presets.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <Failure error={error} />
      <div className="row wrap">
        <Choice label={texts.preset} options={options} value={shown?.id ?? ''} onChange={setShownId} />
        <Choice
          label={texts.compareWith}
          options={options}
          value={otherId}
          onChange={setOtherId}
          none={texts.nothing}
        />
      </div>
      {shown !== undefined && (
        <>
          <p className="muted">
            {shown.description} {shown.is_builtin && texts.builtin}
          </p>
          <PermissionTree flags={shown.flags} other={other?.flags} />
        </>
      )}
    </>
  )
}
