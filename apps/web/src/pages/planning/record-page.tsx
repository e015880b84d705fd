import { addressOfRecord } from '../../address.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { NotRead } from '../../components/fault.tsx'
import { SectionHeading } from '../../components/section.tsx'
import { titleOf, useTitle } from '../../components/title.ts'
import { faultOf } from '../../data/fault.ts'
import { type PlanKind, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import type { BoardPageProps } from '../../page-props.ts'
import { Children } from './children.tsx'
import { EditedField } from './edited-field.tsx'
import { Evaluations } from './evaluations.tsx'
import { FieldSection } from './field-section.tsx'
import { fieldsOf } from './fields.ts'
import { History } from './history.tsx'
import { usePlanKind } from './kind.ts'
import { Materials } from './materials.tsx'
import { Questions } from './questions.tsx'
import { Side } from './side.tsx'
import { Snapshots } from './snapshots.tsx'
import { Validations } from './validations.tsx'
import '../card/card.css'
import './planning.css'

/** An ideation, refinement, spec or sprint as a document. */
export default function PlanRecordPage({ board, params }: BoardPageProps) {
  const kind: PlanKind = usePlanKind()
  const { data, error } = usePlan(kind, params.ref ?? '')
  useTitle(titleOf(data?.record))
  if (data === undefined || faultOf(error) === 'gone') return <NotRead error={error} />
  const { record } = data
  const shown = { board, kind, ...data }
  return (
    <MoveProvider>
      <SectionHeading value="h2">
        <div className="page card-view plan-view">
          <article className="card-main">
            <p className="ref row">
              {messages.planning.kinds[kind]} {record.ref}
              <CopyLink reference={record.ref} address={addressOfRecord(kind, record.ref)} />
            </p>
            <EditedField {...shown} field="title" as="h1" />
            {fieldsOf[kind].map(field => (
              <FieldSection key={field.name} {...shown} field={field} />
            ))}
            <Materials {...shown} />
            <Children {...shown} />
            <Questions {...shown} />
            <Validations {...shown} />
            <Evaluations {...shown} />
            <History key={record.id} {...shown} />
            <Snapshots {...shown} />
          </article>
          <Side {...shown} />
        </div>
      </SectionHeading>
    </MoveProvider>
  )
}
