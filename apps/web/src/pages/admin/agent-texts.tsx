import { InputField } from '../../components/field.tsx'
import type { Agent } from '../../data/access.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.administration

/** The fields for an agent's texts, with the current ones if it is edited. */
export const AgentTexts = ({ from }: { readonly from?: Pick<Agent, 'name' | 'description' | 'objective'> }) => (
  <>
    <InputField label={texts.name} name="name" required maxLength={255} defaultValue={from?.name} />
    <InputField label={texts.description} name="description" defaultValue={from?.description ?? ''} />
    <InputField label={texts.objective} name="objective" defaultValue={from?.objective ?? ''} />
  </>
)

/** An agent's texts from the fields of a form. */
export const agentTextsIn = (fields: FormData) => ({
  name: String(fields.get('name')),
  description: String(fields.get('description')),
  objective: String(fields.get('objective')),
})
