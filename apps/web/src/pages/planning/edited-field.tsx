import { useQueryClient } from '@tanstack/react-query'
import { EditedText } from '../../components/edited-text.tsx'
import { changing } from '../../data/needs.ts'
import { planCalls, refreshPlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { fieldIn } from './field-values.ts'
import type { FieldName } from './fields.ts'
import type { ShownPlan } from './shown.ts'

interface EditedFieldProps extends ShownPlan {
  readonly field: FieldName | 'title'
  readonly as?: 'h1'
}

/** A text of a record that is edited in place. */
export function EditedField({ kind, record, tag, field, as }: EditedFieldProps) {
  const queries = useQueryClient()
  const read = async () => {
    const now = await refreshPlan(queries, kind, record.id)
    return { text: fieldIn(now.record, field), tag: now.tag }
  }
  return (
    <EditedText
      draft={`${kind}:${record.id}:${field}`}
      text={fieldIn(record, field)}
      tag={tag}
      label={messages.planning.fields[field]}
      {...(as === undefined ? { boardId: record.board_id } : { as })}
      needs={changing(kind, record.status, field)}
      read={read}
      write={(text, ifMatch) => planCalls[kind].update(record.id, { [field]: text }, { ifMatch })}
    />
  )
}
