import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { addressOfCoverage, addressOfRecord } from '../../address.ts'
import { announce } from '../../components/announcer.tsx'
import { useCommands } from '../../components/commands.ts'
import { copyLink } from '../../components/copy-link.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Folded } from '../../components/folded.tsx'
import { Guarded } from '../../components/guarded.tsx'
import { Icon } from '../../components/icon.tsx'
import { useKeys } from '../../components/keyboard.ts'
import { isPlanStatus, PlanStatusSign } from '../../components/plan-status.tsx'
import { RefusalView } from '../../components/refusal.tsx'
import { StatusMenu } from '../../components/status-menu.tsx'
import { toast } from '../../components/toast.tsx'
import { type AllowedMove, allowedMoves, canGoBack, isRefused, noteOf, refusalOfMove } from '../../data/moves.ts'
import { type PlanStatus, planCalls, refreshPlan } from '../../data/planning.ts'
import { type Refusal, refusalOf, refusalOfDetail } from '../../data/refusal.ts'
import { messages } from '../../messages/messages.ts'
import { Actions } from './actions.tsx'
import { ChangeShare } from './change-share.tsx'
import { Properties } from './properties.tsx'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

/** State, gates, properties and possible moves of a record. */
export const Side = (plan: ShownPlan) => (
  <aside className="card-side" aria-label={texts.side}>
    <Moves {...plan} />
    <State {...plan} />
    <Folded label={texts.side}>
      <Before {...plan} />
      <ProofShare {...plan} />
      <ChangeShare {...plan} />
      <Properties {...plan} />
      <Actions {...plan} />
    </Folded>
  </aside>
)

function State({ record }: ShownPlan) {
  const isLocked = 'locked' in record && record.locked
  if (!isLocked && !record.archived) return null
  return (
    <div className="stack plan-locked">
      {isLocked && (
        <p className="row muted">
          <Icon name="lock" size={14} />
          {texts.lockedLead}
        </p>
      )}
      {record.archived && <p className="badge">{texts.archived}</p>}
    </div>
  )
}

/** How many scenarios of a spec passed, failed, or were not run. */
function ProofShare({ record }: ShownPlan) {
  if (!('test_scenarios' in record)) return null
  const scenarios = record.test_scenarios ?? []
  const passed = scenarios.filter(({ status }) => status === 'passed').length
  const failed = scenarios.filter(({ status }) => status === 'failed').length
  return (
    <section className="plan-proof" aria-label={texts.coverage}>
      <h2 className="section-title">
        <Link href={addressOfCoverage(record.ref)}>{texts.coverage}</Link>{' '}
        {scenarios.length > 0 && <span className="muted numbers">{texts.passedOf(passed, scenarios.length)}</span>}
      </h2>
      {scenarios.length > 0 && (
        <>
          <svg className="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect className="share-rest" width="100" height="6" />
            <rect className="share-failed" width={((passed + failed) / scenarios.length) * 100} height="6" />
            <rect className="share-passed" width={(passed / scenarios.length) * 100} height="6" />
          </svg>
          <p className="row wrap plan-share">
            {passed > 0 && (
              <span className="row ok">
                <Icon name="proven" size={14} /> {texts.passed(passed)}
              </span>
            )}
            {failed > 0 && (
              <span className="row bad">
                <Icon name="disproven" size={14} /> {texts.failed(failed)}
              </span>
            )}
            {passed + failed < scenarios.length && (
              <span className="muted">{texts.notRun(scenarios.length - passed - failed)}</span>
            )}
          </p>
        </>
      )}
    </section>
  )
}

/** A move to a status that planned records have. */
type PlanMove = AllowedMove & { readonly to: PlanStatus }

const isPlanMove = (move: AllowedMove): move is PlanMove => isPlanStatus(move.to)

/** The possible moves of the record, with their gates. */
function Moves({ kind, record }: ShownPlan) {
  const queries = useQueryClient()
  const { data } = useQuery({ ...allowedMoves(kind, record.id), refetchOnMount: 'always' })
  const root = useRef<HTMLDivElement>(null)
  useKeys([
    {
      keys: 'm',
      says: texts.keyMove,
      place: 'here',
      run: () => root.current?.querySelector<HTMLElement>('[data-key="m"]')?.click(),
    },
  ])
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
    toast(says, goesBack ? undo : undefined)
    await refreshPlan(queries, kind, record.id)
  }
  useCommands(`${record.ref} ${record.title}`, [
    ...(data?.moves ?? []).filter(isPlanMove).map(allowed => ({
      id: allowed.to,
      label: messages.card.moveTo(texts.statuses[allowed.to]),
      sign: <PlanStatusSign status={allowed.to} />,
      note: noteOf(allowed),
      isClosed: isRefused(allowed),
      run: () => void move(allowed),
    })),
    {
      id: 'copy',
      label: messages.shell.copyLink,
      sign: <Icon name="link" />,
      run: () => void copyLink({ reference: record.ref, address: addressOfRecord(kind, record.ref) }),
    },
  ])
  return (
    <div className="plan-state" ref={root}>
      <StatusMenu
        label={texts.moves}
        status={texts.statuses[record.status]}
        sign={<PlanStatusSign status={record.status} />}
        moves={(data?.moves ?? []).filter(isPlanMove).map(allowed => ({
          to: allowed.to,
          isClosed: isRefused(allowed),
          render: leave => (
            <>
              <Guarded allowed={allowed}>
                {closed => (
                  <button
                    type="button"
                    className={isRefused(allowed) ? 'move refused' : 'move'}
                    onClick={() => {
                      leave()
                      void move(allowed)
                    }}
                    {...closed}
                  >
                    <span className="row">
                      <PlanStatusSign status={allowed.to} />
                      <span className="grow">{texts.statuses[allowed.to]}</span>
                      {isRefused(allowed) && <Icon name="lock" size={14} />}
                    </span>
                    {allowed.state === 'forbidden' && <span className="menu-note">{noteOf(allowed)}</span>}
                  </button>
                )}
              </Guarded>
              {allowed.state !== 'forbidden' && isRefused(allowed) && <Gates move={allowed} />}
            </>
          ),
        }))}
      />
      {refused !== undefined && (
        <Dialog
          title={texts.refusedTitle(record.ref, texts.statuses[refused.to])}
          onClose={() => setRefused(undefined)}
        >
          <RefusalView refusal={refused.refusal} />
        </Dialog>
      )}
    </div>
  )
}

/** The forward order of statuses; the list of missing items is not shown for moving back or cancelling. */
const order: readonly PlanStatus[] = [
  'draft',
  'review',
  'approved',
  'evaluating',
  'validated',
  'in_progress',
  'active',
  'closed',
  'done',
]

/** What the record is missing for its next step, as a checklist. */
function Before({ kind, record }: ShownPlan) {
  const { data } = useQuery(allowedMoves(kind, record.id))
  const next = (data?.moves ?? [])
    .filter(isPlanMove)
    .filter(({ to, state }) => order.indexOf(to) > order.indexOf(record.status) && state !== 'forbidden')
    .toSorted((a, b) => order.indexOf(a.to) - order.indexOf(b.to))[0]
  const gates = (next?.gates ?? []).filter(
    ({ gate, state }) => state === 'blocked' || (state === 'passed' && !quiet.has(gate)),
  )
  if (next === undefined || gates.length === 0) return null
  const passed = gates.filter(({ state }) => state === 'passed').length
  return (
    <section className="plan-before">
      <h2 className="section-title">
        {texts.before(texts.statuses[next.to])}{' '}
        <span className="muted numbers">{messages.card.proof.share(passed, gates.length)}</span>
      </h2>
      <Gates move={next} isWhole />
    </section>
  )
}

const gateIcons = { passed: 'passed', blocked: 'wrong', skipped: 'more' } as const

/** Gates that are only shown if unmet: a listed move usually meets them. */
const quiet: ReadonlySet<string> = new Set(['archived', 'transition', 'status'])

interface GatesProps {
  readonly move: PlanMove
  /** Whether met gates are listed too. */
  readonly isWhole?: boolean
}

/** The gates of a move as a checklist, each with what closes it. */
function Gates({ move, isWhole = false }: GatesProps) {
  // One blocker for each closed gate, in the order of the gates.
  const blockers = move.blockers.values()
  const gates = move.gates
    .map(gate => ({ ...gate, why: gate.state === 'blocked' ? blockers.next().value : undefined }))
    .filter(({ gate, state }) => state === 'blocked' || (isWhole && state === 'passed' && !quiet.has(gate)))
  return gates.length === 0 ? null : (
    <ul className="plain gates" aria-label={`${texts.checks}: ${texts.statuses[move.to]}`}>
      {gates.map(({ gate, state, skipped_by, why }) => (
        <li key={gate} className={`gate ${state}`} title={skipped_by ?? undefined}>
          <Icon name={gateIcons[state]} size={14} />
          <span>
            {texts.gates[gate]}
            <span className={state === 'skipped' ? 'muted' : 'hidden'}> – {texts.gate[state]}</span>
          </span>
          {why !== undefined && <p className="gate-why clamp muted">{refusalOfDetail(why).message}</p>}
        </li>
      ))}
    </ul>
  )
}
