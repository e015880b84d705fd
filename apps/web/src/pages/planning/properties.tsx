import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Assignee } from '../../components/assignee.tsx'
import { DateInput } from '../../components/date-input.tsx'
import { LabelsField } from '../../components/labels-field.tsx'
import { Property } from '../../components/property.tsx'
import { Failure } from '../../components/refusal.tsx'
import { dayOf, Time } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import type { DayRange } from '../../components/typed-day.ts'
import { useNameOf } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { changing as changingField, type Needs } from '../../data/needs.ts'
import { type PlanKind, planCalls, refreshPlan, usePlanList } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { GateRules } from './gate-rules.tsx'
import type { Change, ShownPlan } from './shown.ts'

const texts = messages.planning

type Fields = Parameters<Change>[0]

/** The origin, assignee and gate rules of a record. */
export function Properties(plan: ShownPlan) {
  const { board, kind, record } = plan
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  const needs = (field: string) => changingField(kind, record.status, field)
  const change: Change = async fields => {
    await planCalls[kind].update(record.id, fields, {})
    await refreshPlan(queries, kind, record.id)
  }
  /** Changes a field, with Undo. */
  const changeOrUndo = async (label: string, next: Fields, back: Fields) => {
    await change(next)
    toast(messages.card.changed(label, record.ref), () => change(back))
  }
  return (
    <>
      <dl className="properties">
        {'scope_assessment' in record && record.scope_assessment !== null && (
          <Property label={messages.verdicts.scope}>{scopeWords(record.scope_assessment)}</Property>
        )}
        {'complexity' in record && record.complexity !== null && (
          <Property label={texts.complexity}>{record.complexity}</Property>
        )}
        {'ideation_id' in record && record.ideation_id !== null && (
          <Parent boardId={board.id} kind="ideation" id={record.ideation_id} />
        )}
        {'refinement_id' in record && record.refinement_id !== null && (
          <Parent boardId={board.id} kind="refinement" id={record.refinement_id} />
        )}
        {'spec_id' in record && <Parent boardId={board.id} kind="spec" id={record.spec_id} />}
        {'cards_done' in record && (
          <Property label={texts.progress}>
            <progress aria-label={texts.progress} value={record.cards_done} max={Math.max(1, record.cards_total)} />
            <span className="numbers">{texts.progressOf(record.cards_done, record.cards_total)}</span>
          </Property>
        )}
        {'start_date' in record && (
          <>
            <DateProperty
              label={texts.starts}
              at={record.start_date}
              max={record.end_date?.slice(0, 10)}
              needs={needs('start_date')}
              onChange={at => change({ start_date: at })}
            />
            <DateProperty
              label={texts.ends}
              at={record.end_date}
              min={record.start_date?.slice(0, 10)}
              needs={needs('end_date')}
              onChange={at => change({ end_date: at })}
            />
          </>
        )}
        {'assignee_id' in record && (
          <AssigneeProperty
            boardId={board.id}
            assigneeId={record.assignee_id}
            needs={needs('assignee_id')}
            onChange={assignee_id =>
              changeOrUndo(messages.card.assignee, { assignee_id }, { assignee_id: record.assignee_id })
            }
          />
        )}
        <Property label={messages.card.labels}>
          <BoardLabels
            boardId={board.id}
            labels={record.labels ?? []}
            needs={needs('labels')}
            onChange={(labels, before) => changeOrUndo(messages.card.labels, { labels }, { labels: before })}
          />
        </Property>
        <Property label={messages.card.created}>
          <span>
            <bdi>{nameOf(record.created_by)}</bdi>, {dayOf(record.created_at)}
          </span>
        </Property>
        <Property label={messages.card.updated}>
          <Time at={record.updated_at} />
        </Property>
      </dl>
      {'skip_test_coverage' in record && <GateRules record={record} onChange={change} />}
    </>
  )
}

const wordOf = (value: unknown): string => (typeof value === 'number' ? String(value) : '–')

const scopeWords = ({ domains, ambiguity, dependencies }: Readonly<Record<string, unknown>>): string =>
  messages.verdicts.scopeOf(wordOf(domains), wordOf(ambiguity), wordOf(dependencies))

interface DatePropertyProps extends DayRange {
  readonly label: string
  readonly at: string | null
  readonly needs: Needs
  readonly onChange: (at: string | null) => Promise<unknown>
}

function DateProperty({ label, at, needs, onChange, ...range }: DatePropertyProps) {
  const changing = useMutation({ mutationFn: onChange, scope: { id: useId() } })
  return (
    <Property label={label}>
      <DateInput
        {...range}
        needs={needs}
        label={label}
        value={at?.slice(0, 10) ?? ''}
        onChange={day => changing.mutate(day === '' ? null : day)}
      />
      <Failure error={changing.error} />
    </Property>
  )
}

interface AssigneePropertyProps {
  readonly boardId: string
  readonly assigneeId: string | null
  readonly needs: Needs
  readonly onChange: (id: string | null) => Promise<unknown>
}

function AssigneeProperty({ boardId, assigneeId, needs, onChange }: AssigneePropertyProps) {
  const changing = useMutation({ mutationFn: onChange, scope: { id: useId() } })
  return (
    <Property label={messages.card.assignee}>
      <Assignee boardId={boardId} assigneeId={assigneeId} needs={needs} onChange={changing.mutate} />
      <Failure error={changing.error} />
    </Property>
  )
}

interface BoardLabelsProps {
  readonly boardId: string
  readonly labels: readonly string[]
  readonly needs: Needs
  readonly onChange: (labels: readonly string[], before: readonly string[]) => Promise<unknown>
}

/** Labels, with those of the board as suggestions. */
function BoardLabels({ boardId, labels, needs, onChange }: BoardLabelsProps) {
  const { data } = useQuery({
    queryKey: keys.list(boardId, 'overview'),
    queryFn: () => client.getBoardOverview({ board_id: boardId }),
  })
  const changing = useMutation({
    mutationFn: (edit: { readonly labels: readonly string[]; readonly before: readonly string[] }) =>
      onChange(edit.labels, edit.before),
    scope: { id: useId() },
  })
  // A record's labels are written as a whole: the next change builds on the one under way.
  const current = changing.isPending ? changing.variables.labels : labels
  const change = (next: readonly string[]) => changing.mutate({ labels: next, before: current })
  return (
    <>
      <LabelsField
        labels={current}
        needs={needs}
        suggestions={data?.labels.map(({ label }) => label) ?? []}
        onAdd={label => change([...current, label])}
        onRemove={label => change(current.filter(other => other !== label))}
      />
      <Failure error={changing.error} />
    </>
  )
}

interface ParentProps {
  readonly boardId: string
  readonly kind: PlanKind
  readonly id: string
}

/** The record that this one was derived from. */
function Parent({ boardId, kind, id }: ParentProps) {
  const { data } = usePlanList(boardId, kind, true)
  const parent = data?.find(record => record.id === id)
  return (
    <Property label={texts.kinds[kind]}>
      {parent?.ref !== null && parent?.ref !== undefined && (
        <>
          <Link className="ref" href={addressOfRecord(kind, parent.ref)}>
            {parent.ref}
          </Link>{' '}
          <bdi className="truncate" title={parent.title}>
            {parent.title}
          </bdi>
        </>
      )}
    </Property>
  )
}
