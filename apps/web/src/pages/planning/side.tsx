import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfCoverage } from '../../address.ts'
import { announce } from '../../components/announcer.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Guarded } from '../../components/guarded.tsx'
import { Icon } from '../../components/icon.tsx'
import { isPlanStatus, PlanStatusBadge } from '../../components/plan-status.tsx'
import { RefusalView } from '../../components/refusal.tsx'
import { toast } from '../../components/toast.tsx'
import { type AllowedMove, allowedMoves, canGoBack, isRefused, noteOf, refusalOfMove } from '../../data/moves.ts'
import { type PlanStatus, planCalls, refreshPlan } from '../../data/planning.ts'
import { type Refusal, refusalOf } from '../../data/refusal.ts'
import { messages } from '../../messages/messages.ts'
import { Actions } from './actions.tsx'
import { Properties } from './properties.tsx'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

/** State, gates and properties of a record, and where it may go. */
export const Side = (shown: ShownPlan) => (
  <aside className="card-side" aria-label={texts.side}>
    <State {...shown} />
    <Moves {...shown} />
    <Actions {...shown} />
    <Properties {...shown} />
  </aside>
)

function State({ kind, record }: ShownPlan) {
  const isLocked = 'locked' in record && record.locked
  return (
    <div className="stack plan-state">
      <p className="row wrap">
        <PlanStatusBadge status={record.status} />
        <span className="badge numbers">{texts.versionOf(record.version)}</span>
        {isLocked && (
          <span className="badge amber" title={texts.lockedLead}>
            <Icon name="lock" size={12} /> {texts.locked}
          </span>
        )}
        {record.archived && <span className="badge">{texts.archived}</span>}
      </p>
      {isLocked && <p className="muted">{texts.lockedLead}</p>}
      {kind === 'spec' && (
        <p className="row wrap">
          <Link className="button" href={addressOfCoverage(record.ref)}>
            <Icon name="matrix" /> {texts.coverage}
          </Link>
        </p>
      )}
    </div>
  )
}

/** A move to a status that planned records have. */
type PlanMove = AllowedMove & { readonly to: PlanStatus }

const isPlanMove = (move: AllowedMove): move is PlanMove => isPlanStatus(move.to)

/** Where the record may go, and which gates it meets. */
function Moves({ kind, record }: ShownPlan) {
  const queries = useQueryClient()
  const { data } = useQuery({ ...allowedMoves(kind, record.id), refetchOnMount: 'always' })
  const [refused, setRefused] = useState<{ readonly to: PlanStatus; readonly refusal: Refusal }>()
  const move = async (allowed: PlanMove) => {
    const { to } = allowed
    if (allowed.state === 'blocked') return setRefused({ to, refusal: refusalOfMove(allowed) })
    try {
      await planCalls[kind].move(record.id, to)
    } catch (error) {
      return setRefused({ to, refusal: refusalOf(error) })
    }
    const says = texts.moved(record.ref, texts.statuses[to])
    announce(says)
    const goesBack = await canGoBack(kind, record.id, record.status).catch(() => false)
    const undo = async () => {
      await planCalls[kind].move(record.id, record.status)
      await refreshPlan(queries, kind, record.id)
    }
    toast(says, goesBack ? () => void undo() : undefined)
    await refreshPlan(queries, kind, record.id)
  }
  return (
    <section className="stack moves" aria-label={texts.moves}>
      <h2 className="section-title">{texts.moves}</h2>
      <ul className="plain">
        {data?.moves.filter(isPlanMove).map(allowed => (
          <li key={allowed.to}>
            <Guarded allowed={allowed}>
              {closed => (
                <button
                  type="button"
                  className={isRefused(allowed) ? 'move refused' : 'move'}
                  onClick={() => void move(allowed)}
                  {...closed}
                >
                  <PlanStatusBadge status={allowed.to} />
                  {allowed.state === 'forbidden' && <span className="menu-note">{noteOf(allowed)}</span>}
                </button>
              )}
            </Guarded>
            {allowed.state !== 'forbidden' && <Gates move={allowed} />}
          </li>
        ))}
      </ul>
      {refused !== undefined && (
        <Dialog
          title={texts.refusedTitle(record.ref, texts.statuses[refused.to])}
          onClose={() => setRefused(undefined)}
        >
          <RefusalView refusal={refused.refusal} />
        </Dialog>
      )}
    </section>
  )
}

const gateIcons = { passed: 'check', blocked: 'close', skipped: 'more' } as const

/** Gates that say nothing while they are met: every move that is listed meets them as a rule. */
const quiet: ReadonlySet<string> = new Set(['archived', 'transition'])

/** The gates of a move as a check list, with what closes each. */
function Gates({ move }: { readonly move: PlanMove }) {
  const gates = move.gates.filter(({ gate, state }) => state !== 'passed' || !quiet.has(gate))
  return gates.length === 0 ? null : (
    <ul className="plain gates" aria-label={`${texts.checks}: ${texts.statuses[move.to]}`}>
      {gates.map(({ gate, state, skipped_by }) => (
        <li key={gate} className={`gate ${state}`} title={skipped_by ?? undefined}>
          <Icon name={gateIcons[state]} size={12} />
          <span>
            {texts.gates[gate]}
            <span className={state === 'skipped' ? 'muted' : 'hidden'}> – {texts.gate[state]}</span>
          </span>
        </li>
      ))}
      {move.blockers.map(({ message }) => (
        <li key={message} className="gate-why clamp muted">
          {message}
        </li>
      ))}
    </ul>
  )
}
