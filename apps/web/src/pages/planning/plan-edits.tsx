import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { announce } from '../../components/announcer.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { opening } from '../../components/part.tsx'
import { Avatar } from '../../components/person.tsx'
import { isPlanStatus, PlanStatusSign } from '../../components/plan-status.tsx'
import { Failure } from '../../components/refusal.tsx'
import { toast } from '../../components/toast.tsx'
import { type BoardListItem, useNames } from '../../data/boards.ts'
import { keys } from '../../data/keys.ts'
import { knownLabels } from '../../data/labels.ts'
import { allowedMoves, refreshRelated } from '../../data/moves.ts'
import { type PlanKind, type PlanSummary, planCalls, type ReadPlan, readPlan } from '../../data/planning.ts'
import { writeOn } from '../../data/write-on.ts'
import { messages } from '../../messages/messages.ts'
import { MovesMenu } from '../../moves/moves-menu.tsx'
import type { PlanField } from './plan-cells.tsx'

const Picker = opening(() => import('../../components/picker.tsx'))

const texts = messages.planning

/** The option for nobody. */
const nobody = ''

export interface PlanEditing {
  readonly field: PlanField
  readonly record: PlanSummary
  readonly anchor: HTMLElement
}

interface PlanEditsProps {
  readonly board: BoardListItem
  readonly kind: PlanKind
  /** The records of the board, whose labels are suggested. */
  readonly all: readonly PlanSummary[]
  readonly editing: PlanEditing | undefined
  readonly onClose: () => void
}

/** A change that conflicts with somebody else's change of the same field. */
interface Conflict {
  readonly record: PlanSummary
  readonly mine: string
  readonly theirs: ReadPlan
}

type StoredPlan = ReadPlan<PlanKind>

const labelsOf = ({ record }: StoredPlan): readonly string[] => record.labels ?? []

const assigneeOf = ({ record }: StoredPlan): string =>
  'assignee_id' in record ? (record.assignee_id ?? nobody) : nobody

/** Labels with one added, or removed if it is among them. */
const turned = (labels: readonly string[], label: string): readonly string[] =>
  labels.includes(label) ? labels.filter(other => other !== label) : [...labels, label]

/**
 * Edits values in the rows of a list, on top of the state that the person saw (`If-Match`). Conflicting changes by
 * others are shown, and so are the reasons of refusals.
 */
export function PlanEdits({ board, kind, all, editing, onClose }: PlanEditsProps) {
  const queries = useQueryClient()
  const { data: names } = useNames(board.id)
  const [conflict, setConflict] = useState<Conflict>()
  const refresh = (id: string) =>
    Promise.all([
      queries.invalidateQueries({ queryKey: keys.list(board.id, kind) }),
      queries.invalidateQueries({ queryKey: keys.record(kind, id) }),
    ])
  const writing = useMutation({
    mutationFn: async ({ record, field, value, read }: Writing) => {
      const state = await read
      const isSame = (now: StoredPlan) => field === 'labels' || assigneeOf(now) === (record.assignee_id ?? nobody)
      const fields = (now: StoredPlan) =>
        field === 'labels' ? { labels: turned(labelsOf(now), value) } : { assignee_id: value === nobody ? null : value }
      const theirs = isSame(state)
        ? await writeOn(state, {
            write: now => planCalls[kind].update(record.id, fields(now), { ifMatch: now.tag }),
            read: () => readPlan(kind, record.id),
            isSame,
          })
        : state
      await refresh(record.id)
      if (theirs !== undefined) return setConflict({ record, mine: value, theirs })
      const says = messages.list.changed(record.ref ?? record.title, texts.columns[field])
      announce(says)
      const back = field === 'labels' ? { labels: record.labels } : { assignee_id: record.assignee_id }
      toast(says, () => planCalls[kind].update(record.id, back, {}).then(() => refresh(record.id)))
    },
  })
  const inWords = (id: string) => (id === nobody ? messages.board.unassigned : (names?.get(id) ?? id))
  return (
    <>
      {editing?.field === 'status' && <MovePlan board={board} kind={kind} editing={editing} onClose={onClose} />}
      {editing !== undefined && editing.field !== 'status' && (
        <Choosing
          kind={kind}
          all={all}
          names={names ?? new Map()}
          editing={{ ...editing, field: editing.field }}
          onWrite={writing.mutate}
          onClose={onClose}
        />
      )}
      {writing.error !== null && (
        <Dialog title={texts.notChanged} onClose={() => writing.reset()}>
          <Failure error={writing.error} />
        </Dialog>
      )}
      {conflict !== undefined && (
        <Confirm
          title={messages.list.conflict(texts.columns.assignee, conflict.record.ref ?? '')}
          lead={messages.list.conflictLead(inWords(assigneeOf(conflict.theirs)), inWords(conflict.mine))}
          action={messages.list.setMine(inWords(conflict.mine))}
          onConfirm={async () => {
            const { record, mine, theirs } = conflict
            const assignee_id = mine === nobody ? null : mine
            await planCalls[kind].update(record.id, { assignee_id }, { ifMatch: theirs.tag })
            await refresh(record.id)
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  )
}

interface Writing {
  readonly record: PlanSummary
  readonly field: Exclude<PlanField, 'status'>
  readonly value: string
  /** The record as it was read when the choice was opened. */
  readonly read: Promise<StoredPlan>
}

interface ChoosingProps {
  readonly kind: PlanKind
  readonly all: readonly PlanSummary[]
  readonly names: ReadonlyMap<string, string>
  readonly editing: PlanEditing & { readonly field: Exclude<PlanField, 'status'> }
  readonly onWrite: (writing: Writing) => void
  readonly onClose: () => void
}

function Choosing({ kind, all, names, editing, onWrite, onClose }: ChoosingProps) {
  const { record, field, anchor } = editing
  const read = useMemo(() => {
    const reading = readPlan(kind, record.id)
    // If nothing is chosen, it does not matter that the read failed.
    reading.catch(() => undefined)
    return reading
  }, [kind, record.id])
  const choose = (value: string) => {
    onClose()
    onWrite({ record, field, value, read })
  }
  const options =
    field === 'labels'
      ? knownLabels(all).map(value => ({ value, label: value }))
      : [
          { value: nobody, label: messages.board.unassigned, sign: <span className="avatar nobody" /> },
          ...[...names].map(([value, label]) => ({ value, label, sign: <Avatar name={label} /> })),
        ]
  return (
    <Picker
      label={field === 'labels' ? messages.board.choose.label(1) : messages.board.choose.assignee(1)}
      anchor={anchor}
      options={options}
      chosen={field === 'labels' ? record.labels : [record.assignee_id ?? nobody]}
      onChoose={choose}
      {...(field === 'labels' && { onNew: choose })}
      onClose={onClose}
    />
  )
}

interface MovePlanProps {
  readonly board: BoardListItem
  readonly kind: PlanKind
  readonly editing: PlanEditing
  readonly onClose: () => void
}

/** The possible moves of a record; fields that a move needs are on its page. */
function MovePlan({ board, kind, editing: { record, anchor }, onClose }: MovePlanProps) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const read = useQuery(allowedMoves(kind, record.id))
  const ref = record.ref ?? record.id
  const move = async (to: string) => {
    try {
      await planCalls[kind].move(record.id, to)
      const says = texts.moved(ref, isPlanStatus(to) ? texts.statuses[to] : to)
      announce(says)
      toast(says)
    } catch {
      // The page of the record shows why.
      navigate(addressOfRecord(kind, ref))
    }
    await queries.invalidateQueries({ queryKey: keys.list(board.id, kind) })
    await refreshRelated(queries)
  }
  return (
    <MovesMenu
      read={read}
      anchor={anchor}
      onChoose={({ to, state }) => {
        if (state === 'open') void move(to)
        else navigate(addressOfRecord(kind, ref))
      }}
      onClose={onClose}
    >
      {to => (
        <>
          {isPlanStatus(to) && <PlanStatusSign status={to} />}
          {isPlanStatus(to) ? texts.statuses[to] : to}
        </>
      )}
    </MovesMenu>
  )
}
