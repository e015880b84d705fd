import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { addressOfLineage, addressOfRecord } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure, RefusalView } from '../../components/refusal.tsx'
import { callNamed } from '../../data/client.ts'
import { type AllowedMoves, allowedMoves, isRefused, refusalOfMove } from '../../data/moves.ts'
import { creating, creatingCard, deleting } from '../../data/needs.ts'
import type { PlanKind } from '../../data/planning.ts'
import { useCardType } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'
import { SaveTemplate } from '../../templates/save-template.tsx'
import { AddCardDialog } from './add-card-dialog.tsx'
import { AddDialog } from './add-dialog.tsx'
import { ArchiveButton, DeleteDialog } from './put-away.tsx'
import type { ShownPlan } from './shown.ts'
import VerdictDialog from './verdict-dialog.tsx'
import { isVerdict, type VerdictOperation } from './verdict-forms.ts'

const texts = messages.planning

type Operation = AllowedMoves['operations'][number]

/** Operations that are buttons here; others are next to what they change. */
type ButtonOperation = keyof typeof messages.verdicts.operations

const isOffered = (name: string): name is ButtonOperation => Object.hasOwn(messages.verdicts.operations, name)

/** The kind of record that is created below each kind. */
const childKinds: Readonly<Partial<Record<PlanKind, PlanKind>>> = { ideation: 'refinement', spec: 'sprint' }

/** Actions on a record besides moves: verdicts, records made from it, archiving. */
export function Actions(plan: ShownPlan) {
  const { board, kind, record } = plan
  const { data } = useQuery(allowedMoves(kind, record.id))
  const [dialog, setDialog] = useState<'child' | 'card' | 'delete'>()
  const childKind = childKinds[kind]
  const cardType = useCardType()
  const close = () => setDialog(undefined)
  return (
    <section className="stack plan-actions" aria-label={texts.actions}>
      <h2 className="section-title">{texts.actions}</h2>
      <div className="row wrap">
        {data?.operations.map(operation => (
          <OperationButton key={operation.operation} {...plan} operation={operation} />
        ))}
        {childKind !== undefined && (
          <Button needs={creating(childKind)} onClick={() => setDialog('child')}>
            {texts.add(texts.kinds[childKind])}
          </Button>
        )}
        {kind === 'spec' && (
          <Button needs={creatingCard(cardType)} onClick={() => setDialog('card')}>
            {texts.newCard}
          </Button>
        )}
        <Link className="button" href={addressOfLineage(record.ref)}>
          {messages.lineage.title}
        </Link>
        {kind === 'spec' && <SaveTemplate board={board} type="spec" record={record} />}
        {kind !== 'sprint' && <ArchiveButton {...plan} kind={kind} />}
        <Button needs={deleting(kind, record.status)} className="button quiet" onClick={() => setDialog('delete')}>
          {texts.delete}
        </Button>
      </div>
      {dialog === 'child' && childKind !== undefined && (
        <AddDialog board={board} kind={childKind} parentId={record.id} onClose={close} />
      )}
      {dialog === 'card' && 'test_scenarios' in record && <AddCardDialog board={board} spec={record} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog {...plan} onClose={close} />}
    </section>
  )
}

interface OperationButtonProps extends ShownPlan {
  readonly operation: Operation
}

/**
 * A button for an operation that depends on the state of the record: it runs the operation, opens its form, or explains
 * why it is not available.
 */
function OperationButton({ kind, record, operation: allowed }: OperationButtonProps) {
  const [open, setOpen] = useState<VerdictOperation | 'refused'>()
  const { operation } = allowed
  const [, navigate] = useLocation()
  const deriving = useMutation({
    mutationFn: () => callNamed(operation, { [`${kind}_id`]: record.id }) as Promise<{ readonly ref: string }>,
    onSuccess: ({ ref }) => navigate(addressOfRecord('spec', ref)),
  })
  if (!isOffered(operation)) return null
  const isClosed = isRefused(allowed)
  const run = () => {
    if (isClosed) setOpen('refused')
    else if (isVerdict(operation)) setOpen(operation)
    else deriving.mutate()
  }
  const says = messages.verdicts.operations[operation]
  return (
    <>
      <Button
        allowed={allowed}
        className={isClosed ? 'button quiet' : 'button'}
        title={isClosed ? texts.notYet(says) : undefined}
        disabled={deriving.isPending}
        onClick={run}
      >
        {allowed.state === 'blocked' && <Icon name="lock" size={12} />}
        {says}
      </Button>
      <Failure error={deriving.error} />
      {open === 'refused' && (
        <Dialog title={texts.notYet(says)} onClose={() => setOpen(undefined)}>
          <RefusalView refusal={refusalOfMove(allowed)} />
        </Dialog>
      )}
      {open !== undefined && open !== 'refused' && (
        <VerdictDialog kind={kind} record={record} operation={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}
