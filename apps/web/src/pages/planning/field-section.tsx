import { Section } from '../../components/section.tsx'
import { messages } from '../../messages/messages.ts'
import { EditedField } from './edited-field.tsx'
import { itemsIn, linesIn } from './field-values.ts'
import type { DocumentField } from './fields.ts'
import { Items } from './items.tsx'
import { Lines } from './lines.tsx'
import type { ShownPlan } from './shown.ts'

interface FieldSectionProps extends ShownPlan {
  readonly field: DocumentField
}

/** One part of the document. */
export function FieldSection({ field, ...shown }: FieldSectionProps) {
  const title = messages.planning.fields[field.name]
  if (field.shape === 'text')
    return (
      <Section title={title}>
        <EditedField {...shown} field={field.name} />
      </Section>
    )
  if (field.shape === 'lines') {
    const lines = linesIn(shown.record, field.name)
    return (
      <Section title={title} count={lines.length}>
        <Lines {...shown} name={field.name} lines={lines} />
      </Section>
    )
  }
  const items = itemsIn(shown.record, field.name)
  return (
    <Section title={title} count={items.length}>
      <Items {...shown} field={field} items={items} />
    </Section>
  )
}
