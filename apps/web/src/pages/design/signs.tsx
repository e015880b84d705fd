import { Avatar, Person } from '../../components/person.tsx'
import { PlanStatusBadge } from '../../components/plan-status.tsx'
import { PrioritySign, Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import type { PrincipalKind } from '../../data/boards.ts'
import { cardPriorities, cardStatuses } from '../../data/cards.ts'
import { planStatuses } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { Sample, State } from './sample.tsx'
import '../../components/figures.css'

/** One principal of each kind. */
export const people: ReadonlyMap<string, PrincipalKind> = new Map([
  ['Ada', 'person'],
  ['baker-1', 'agent'],
  ['pipeline', 'ci'],
  ['importer', 'service'],
])

const plans = [...new Set(Object.values(planStatuses).flat())]

const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()

/** Status icons and badges. */
export const Signs = () => (
  <>
    <Sample title="Statuses of cards">
      {cardStatuses.map(status => (
        <Status key={status} status={status} />
      ))}
    </Sample>
    <Sample title="Statuses of plans">
      {plans.map(status => (
        <PlanStatusBadge key={status} status={status} />
      ))}
    </Sample>
    <Sample title="Priorities">
      {cardPriorities.map(priority => (
        <State key={priority} name={messages.board.priorities[priority]}>
          <PrioritySign priority={priority} />
        </State>
      ))}
    </Sample>
    <Sample title="Who acts">
      {[...people].map(([name, kind]) => (
        <State key={kind} name={kind}>
          <span className="row">
            <Person name={name} /> <Avatar name={name} isLarge /> <Avatar name={name} isLive />
          </span>
        </State>
      ))}
    </Sample>
    <Sample title="Badges and time">
      <span className="badge">plain</span>
      <span className="badge green">green</span>
      <span className="badge amber">amber</span>
      <span className="badge red">red</span>
      <span className="ref">SPE-14</span>
      <kbd>Ctrl</kbd>
      <Time at={anHourAgo} />
    </Sample>
    <Sample title="Figures and meters">
      <dl className="figures design-wide">
        <div>
          <dt>Done</dt>
          <dd>
            12 <small>of 40</small>
          </dd>
        </div>
        <div>
          <dt>Late</dt>
          <dd>
            3 <small className="warn">oldest 2 d</small>
          </dd>
        </div>
        <div>
          <dt>Failed</dt>
          <dd>
            1 <small className="bad">24 min</small>
          </dd>
        </div>
      </dl>
      <meter className="meter" min={0} max={4} value={3} aria-label="3 of 4" />
      <progress aria-label="12 of 40" value={12} max={40} />
    </Sample>
  </>
)
