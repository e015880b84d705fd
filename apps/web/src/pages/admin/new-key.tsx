import { useState } from 'react'
import { serviceUrl } from '../../base-path.ts'
import { Choice } from '../../components/choice.tsx'
import { Copied } from '../../components/copied.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { messages } from '../../messages/messages.ts'
import { clientConfigurations } from './client-configurations.ts'

const texts = messages.administration

interface NewKeyProps {
  readonly name: string
  readonly apiKey: string
  readonly onClose: () => void
}

/** A key that was just created, shown only once, with the configuration of agent clients. */
export function NewKey({ name, apiKey, onClose }: NewKeyProps) {
  const configurations = clientConfigurations(serviceUrl, apiKey)
  const [client, setClient] = useState(configurations[0]!.client)
  const chosen = configurations.find(configuration => configuration.client === client)!
  return (
    <Dialog title={texts.keyOf(name)} leave={messages.shell.haveIt} onClose={onClose}>
      <div className="stack scrolls">
        <p>{texts.keyOnce}</p>
        <Copied label={texts.key} text={apiKey} />
        <Copied label={texts.environment} text={`export SPECBOARD_API_KEY=${apiKey}`} />
        <Choice
          label={texts.client}
          value={client}
          options={configurations.map(({ client: name }) => ({ value: name, label: name }))}
          onChange={setClient}
        />
        <Copied label={texts.configuration} text={chosen.text} />
      </div>
    </Dialog>
  )
}
