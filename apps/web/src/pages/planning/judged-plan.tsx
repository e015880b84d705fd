import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { addressOfCoverage, addressOfRecord } from '../../address.ts'
import { Markdown } from '../../components/markdown.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Status } from '../../components/status.tsx'
import { type PlanKind, type PlanRecord, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { Evaluations } from './evaluations.tsx'
import { fieldIn, itemsIn, linesIn } from './field-values.ts'
import { type DocumentField, fieldsOf } from './fields.ts'
import { ItemSummary } from './items.tsx'
import { textOfLine } from './lists.ts'
import { Validations } from './validations.tsx'
import '../card/card.css'
import './planning.css'

const texts = messages.planning

interface JudgedPlanProps {
  readonly kind: PlanKind
  readonly id: string
  /** Whether it shows the name of the record itself, if nothing above it does. */
  readonly isNamed?: boolean
}

/** What a verdict on a planned record is about: its whole content, its cards, and former verdicts. */
export function JudgedPlan({ kind, id, isNamed = true }: JudgedPlanProps) {
  const { data, error } = usePlan(kind, id)
  if (data === undefined)
    return error === null ? <p className="muted">{messages.shell.loading}</p> : <Failure error={error} />
  const { record } = data
  return (
    <>
      <p className="row wrap">
        {isNamed && (
          <Link href={addressOfRecord(kind, record.ref)}>
            {record.ref} <bdi>{record.title}</bdi>
          </Link>
        )}
        {kind === 'spec' && (
          <Link className="button quiet" href={addressOfCoverage(record.ref)}>
            {texts.coverage}
          </Link>
        )}
      </p>
      {fieldsOf[kind].map(field => (
        <DocumentPart key={field.name} record={record} field={field} />
      ))}
      <Cards record={record} />
      <Validations kind={kind} record={record} />
      <Evaluations record={record} />
    </>
  )
}

/** One part of the document, read-only; nothing if it is empty. */
function DocumentPart({ record, field }: { readonly record: PlanRecord; readonly field: DocumentField }) {
  const [count, content] = contentOf(record, field)
  return count === 0 ? null : (
    <Section title={texts.fields[field.name]} {...(field.shape !== 'text' && { count })}>
      {content}
    </Section>
  )
}

/** The size of a part, and how it is shown. */
function contentOf(record: PlanRecord, field: DocumentField): readonly [count: number, said: ReactNode] {
  if (field.shape === 'text') {
    const text = fieldIn(record, field.name)
    return [text === '' ? 0 : 1, <Markdown key="text" text={text} />]
  }
  if (field.shape === 'lines') {
    const lines = linesIn(record, field.name)
    return [
      lines.length,
      <ol key="lines">
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <li key={place}>{textOfLine(line)}</li>
        ))}
      </ol>,
    ]
  }
  const items = itemsIn(record, field.name)
  return [
    items.length,
    <ul key="items" className="plain stack">
      {items.map(item => (
        <li key={item.id} className="box stack">
          <ItemSummary item={item} field={field} record={record} />
        </li>
      ))}
    </ul>,
  ]
}

function Cards({ record }: { readonly record: PlanRecord }) {
  const cards = 'cards' in record ? record.cards : []
  return cards.length === 0 ? null : (
    <Section title={texts.cards} count={cards.length}>
      <ul className="plain">
        {cards.map(({ id, ref, title, status }) => (
          <li key={id} className="row">
            <Link className="ref" href={addressOfRecord('card', ref)}>
              {ref}
            </Link>
            <span className="truncate grow" dir="auto">
              {title}
            </span>
            <Status status={status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
