import { Link } from 'wouter'
import { addressOfBoard, addressOfSpec } from '../../address.ts'
import { Crumbs } from '../../components/crumbs.tsx'
import { NotRead } from '../../components/fault.tsx'
import { SectionHeading } from '../../components/section.tsx'
import { useTitle } from '../../components/title.ts'
import { faultOf } from '../../data/fault.ts'
import { usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { Matrix } from './matrix.tsx'
import { criteriaOf, isSkipped, requirementsOf } from './rows.ts'
import { ScenarioTests } from './scenario-tests.tsx'
import { Sentences } from './sentences.tsx'
import '../card/card.css'
import '../planning/planning.css'
import './coverage.css'

const texts = messages.coverage

/** The coverage of a spec, as its gates compute it, with controls to close gaps. */
export default function CoveragePage({ board, params }: BoardPageProps) {
  const { data, error } = usePlan('spec', params.ref ?? '')
  useTitle(data && texts.title(data.record.ref))
  if (data === undefined || faultOf(error) === 'gone') return <NotRead error={error} />
  const spec = data.record
  return (
    <SectionHeading value="h2">
      <div className="bar card-bar">
        <Crumbs
          steps={[
            { label: board.name, address: addressOfBoard(board.key) },
            { label: spec.title, address: addressOfSpec(board.key, spec.ref) },
            { label: messages.planning.coverage },
          ]}
        />
      </div>
      <div className="page card-main coverage">
        <h1>{texts.title(spec.ref)}</h1>
        <p>
          <Link href={addressOfSpec(board.key, spec.ref)}>
            {spec.ref} <bdi>{spec.title}</bdi>
          </Link>
        </p>
        <p className="muted">{texts.lead}</p>
        <Sentences
          title={texts.requirements}
          spec={spec}
          sentences={requirementsOf(spec)}
          by="business_rules"
          isSkipped={isSkipped('business_rule', spec, board.settings)}
        />
        <Sentences
          title={texts.criteria}
          spec={spec}
          sentences={criteriaOf(spec)}
          by="test_scenarios"
          isSkipped={isSkipped('scenario', spec, board.settings)}
        />
        <Matrix board={board} spec={spec} />
        <ScenarioTests board={board} spec={spec} />
      </div>
    </SectionHeading>
  )
}
