import settings from 'virtual:settings'
import type { RuntimeSettingKey } from '@specboard/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Form } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Submit } from '../../components/submit.tsx'
import { toast } from '../../components/toast.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.administration

const names = Object.keys(settings.runtimeSettings) as RuntimeSettingKey[]

/** The settings of the service that can change while it runs (access 12). */
export function Runtime() {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: keys.service('runtime'),
    queryFn: () => client.getRuntimeSettings(),
  })
  const saving = useMutation({
    mutationFn: async (form: FormData) => {
      const changed = names.filter(name => form.has(name) && Number(form.get(name)) !== data?.[name])
      const saved = await client.putRuntimeSettings(
        Object.fromEntries(changed.map(name => [name, Number(form.get(name))])),
      )
      queries.setQueryData(keys.service('runtime'), saved)
      toast(texts.saved)
    },
  })
  if (data === undefined) return <Failure error={error} />
  return (
    <Form draft="settings" onSend={saving.mutateAsync}>
      {names.map(name => {
        const { min, max, default: standard } = settings.runtimeSettings[name]
        const isPinned = data.pinned.includes(name)
        return (
          <label key={name} className="setting">
            <span className="grow">
              <span>{texts.runtime[name]}</span>
              <span className="muted">
                {texts.range(min, max, standard)} {isPinned && texts.pinned}
              </span>
            </span>
            <Input
              className="input numbers"
              type="number"
              name={name}
              min={min}
              max={max}
              required
              defaultValue={data[name]}
              disabled={isPinned}
            />
          </label>
        )
      })}
      <Submit sending={saving} needs={['SETTINGS_UPDATE']}>
        {messages.shell.save}
      </Submit>
    </Form>
  )
}
