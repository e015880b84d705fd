import { Choice } from '../components/choice.tsx'
import { Select } from '../components/select.tsx'
import { type Template, type TemplateType, useTemplates } from '../data/templates.ts'
import { listed } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.templates

interface TemplateChoiceProps {
  readonly boardId: string
  readonly type: TemplateType
  readonly chosen: Template | undefined
  /** Whether its label is shown above it. */
  readonly hasLabel?: boolean
  readonly onChoose: (template: Template | undefined) => void
}

/** Chooses a template for a new record, and says what it fills in; nothing if the board has none (web 4). */
export function TemplateChoice({ boardId, type, chosen, hasLabel = false, onChoose }: TemplateChoiceProps) {
  const { data = [] } = useTemplates(boardId)
  const templates = data.filter(({ entity_type }) => entity_type === type)
  if (templates.length === 0) return null
  const Control = hasLabel ? Choice : Select
  return (
    <>
      <Control
        label={texts.template}
        value={chosen?.id ?? ''}
        none={texts.none}
        options={templates.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={id => onChoose(templates.find(template => template.id === id))}
      />
      {chosen !== undefined && <p className="muted">{texts.fills(listed(fieldsIn(chosen)))}</p>}
    </>
  )
}

/** The names of the fields that a template fills in. */
export const fieldsIn = ({ content }: Template): readonly string[] =>
  Object.keys(content).map(name => (texts.fields as Readonly<Record<string, string>>)[name] ?? name)
