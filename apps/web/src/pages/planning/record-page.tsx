import { useState } from 'react'
import { addressOfBoard, addressOfRecord, planFolders } from '../../address.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { Crumbs } from '../../components/crumbs.tsx'
import { NotRead } from '../../components/fault.tsx'
import { SectionHeading } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { titleOf, useTitle } from '../../components/title.ts'
import { useNameOf } from '../../data/boards.ts'
import { faultOf } from '../../data/fault.ts'
import { type PlanKind, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import type { BoardPageProps } from '../../page-props.ts'
import { CardSkeleton } from '../card/card-skeleton.tsx'
import { Children } from './children.tsx'
import { EditedField } from './edited-field.tsx'
import { Evaluations } from './evaluations.tsx'
import { FieldSection } from './field-section.tsx'
import { fieldIn, itemsIn, linesIn } from './field-values.ts'
import { type DocumentField, fieldsOf } from './fields.ts'
import { History } from './history.tsx'
import { usePlanKind } from './kind.ts'
import { Questions } from './questions.tsx'
import { RecordContent } from './record-content.tsx'
import type { ShownPlan } from './shown.ts'
import { Side } from './side.tsx'
import { Snapshots } from './snapshots.tsx'
import { SprintProgress } from './sprint-progress.tsx'
import { Validations } from './validations.tsx'
import '../card/card.css'
import './planning.css'

/** An ideation, refinement, spec or sprint as a document. */
export default function PlanRecordPage({ board, params }: BoardPageProps) {
  const kind: PlanKind = usePlanKind()
  const { data, error } = usePlan(kind, params.ref ?? '')
  useTitle(titleOf(data?.record))
  if (data === undefined && error === null)
    return (
      <div className="plan-page">
        <div className="bar" />
        <CardSkeleton label={messages.shell.loading} />
      </div>
    )
  if (data === undefined || faultOf(error) === 'gone') return <NotRead error={error} />
  const { record } = data
  const plan = { board, kind, ...data }
  return <PlanDocument key={record.id} {...plan} />
}

/** The document: its filled parts, then the empty ones, in a few lines. */
function PlanDocument(plan: ShownPlan) {
  const { board, kind, record } = plan
  // A part that was empty when the page was opened stays in place while somebody types in it.
  const [empty] = useState(
    () => new Set(fieldsOf[kind].filter(field => !hasContent(record, field)).map(({ name }) => name)),
  )
  const filledFields = fieldsOf[kind].filter(({ name }) => !empty.has(name))
  const emptyFields = fieldsOf[kind].filter(({ name }) => empty.has(name))
  return (
    <MoveProvider>
      <div className="plan-page">
        <div className="bar card-bar">
          <Crumbs
            steps={[
              { label: board.name, address: addressOfBoard(board.key) },
              { label: messages.planning.lists[kind].title, address: `/b/${board.key}/${planFolders[kind]}` },
              { label: record.ref },
            ]}
          />
          <span className="grow" />
          <CopyLink reference={record.ref} address={addressOfRecord(kind, record.ref)} />
        </div>
        <SectionHeading value="h2">
          <div className="card-view plan-view">
            <article className="card-main">
              <header className="plan-head">
                <EditedField {...plan} field="title" as="h1" />
                <Facts {...plan} />
              </header>
              {'cards_done' in record && <SprintProgress board={board} sprint={record} />}
              {filledFields.map(field => (
                <FieldSection key={field.name} {...plan} field={field} />
              ))}
              <Children {...plan} />
              {emptyFields.length > 0 && (
                <section className="plan-unsaid" aria-label={messages.planning.unsaid}>
                  <p className="section-title muted">{messages.planning.unsaid}</p>
                  {emptyFields.map(field => (
                    <FieldSection key={field.name} {...plan} field={field} />
                  ))}
                </section>
              )}
              <RecordContent {...plan} />
              <Questions {...plan} />
              <Validations {...plan} />
              <Evaluations {...plan} />
              <History key={record.id} {...plan} />
              <Snapshots {...plan} />
            </article>
            <Side {...plan} />
          </div>
        </SectionHeading>
      </div>
    </MoveProvider>
  )
}

/** The author, version and last change of the record. */
function Facts({ board, record }: ShownPlan) {
  const nameOf = useNameOf(board.id)
  return (
    <p className="plan-facts row wrap">
      <span>{record.ref}</span>
      <span className="numbers">{messages.planning.versionOf(record.version)}</span>
      <bdi>{messages.planning.factsBy(nameOf(record.created_by))}</bdi>
      <Time at={record.updated_at} />
    </p>
  )
}

/** Whether a part of the document has content. */
function hasContent(record: ShownPlan['record'], { name, shape }: DocumentField): boolean {
  if (shape === 'text') return fieldIn(record, name) !== ''
  return (shape === 'lines' ? linesIn(record, name) : itemsIn(record, name)).length > 0
}
