import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { isPlanStatus, PlanStatusSign } from '../../components/plan-status.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useNames } from '../../data/boards.ts'
import { useCards } from '../../data/cards.ts'
import { coverageOf } from '../../data/coverage-query.ts'
import { type PlanKind, type PlanSummary, planStatuses } from '../../data/planning.ts'
import { shownName } from '../../data/shown-name.ts'
import { inEnglish } from '../../messages/language.ts'
import { messages } from '../../messages/messages.ts'
import type { DefaultTableOptions } from '../../table/address.ts'
import type { Grouping, TableColumn } from '../../table/model.ts'
import { useRowTab } from '../../table/row-tab.ts'
import { AssigneeCell, LabelsCell, StatusCell } from './plan-cells.tsx'

const texts = messages.planning

/** The columns of the lists, in their order. */
const order = [
  'ref',
  'title',
  'status',
  'parent',
  'labels',
  'progress',
  'coverage',
  'age',
  'updated',
  'assignee',
] as const
type ColumnId = (typeof order)[number]

/** The columns that a kind does not have: it has no such field, or no such count. */
const lacking: { readonly [K in PlanKind]: readonly ColumnId[] } = {
  ideation: ['parent', 'progress', 'coverage'],
  refinement: ['progress', 'coverage'],
  spec: [],
  sprint: ['coverage', 'assignee'],
}

export const columnsOfKind = (kind: PlanKind): readonly ColumnId[] => order.filter(id => !lacking[kind].includes(id))

/** The columns that can be hidden; reference and title always stay. */
export const choosableOf = (kind: PlanKind): readonly ColumnId[] =>
  columnsOfKind(kind).filter(id => id !== 'ref' && id !== 'title')

const planGroupings = ['status', 'parent', 'assignee'] as const

export const groupingsOfKind = (kind: PlanKind): readonly string[] =>
  planGroupings.filter(id => id === 'status' || !lacking[kind].includes(id))

export const defaultOptionsOf = (kind: PlanKind): DefaultTableOptions => ({
  group: undefined,
  columns: choosableOf(kind).filter(id => id !== 'labels' || kind === 'ideation'),
})

/** The columns that fit on a phone. */
export const planOnPhone: ReadonlySet<string> = new Set(['title', 'status'])

interface Progress {
  readonly done: number
  readonly total: number
}

/** How many cards of each spec and sprint are done, once they are loaded. */
function useProgress(boardId: string): ReadonlyMap<string, Progress> {
  const { data: cards } = useCards(boardId)
  return useMemo(() => {
    const progress = new Map<string, Progress>()
    for (const { spec_id, sprint_id, status } of cards ?? [])
      for (const id of [spec_id, sprint_id]) {
        if (id === null || status === 'cancelled') continue
        const { done, total } = progress.get(id) ?? { done: 0, total: 0 }
        progress.set(id, { done: done + (status === 'done' ? 1 : 0), total: total + 1 })
      }
    return progress
  }, [cards])
}

interface Coverage {
  readonly covered: number
  readonly total: number
}

/** How many acceptance criteria of each spec a scenario covers; loaded if the column is shown. */
function useCoverage(boardId: string, isShown: boolean): ReadonlyMap<string, Coverage> {
  const { data } = useQuery({ ...coverageOf(boardId), enabled: isShown })
  return useMemo(
    () =>
      new Map(
        (data ?? []).map(({ spec_id, covered_ac, total_ac }) => [spec_id, { covered: covered_ac, total: total_ac }]),
      ),
    [data],
  )
}

/** A part of a whole, as a bar and in numbers. */
const PartOf = ({ part, whole, label }: { readonly part: number; readonly whole: number; readonly label: string }) => (
  <span className="plan-progress numbers">
    <progress value={part} max={whole} aria-label={label} />
    {texts.progressOf(part, whole)}
  </span>
)

const Nothing = () => <span className="without">{messages.list.none}</span>

interface TitleCellProps {
  readonly kind: PlanKind
  readonly record: PlanSummary
  readonly progress: Progress | undefined
}

/** The title, linked to the record, and its open questions; on a phone, also the facts that have no columns there. */
function TitleCell({ kind, record, progress }: TitleCellProps) {
  const isNarrow = useIsNarrow()
  const { id, ref, title, open_questions, parent, updated_at } = record
  const titled = (
    <span className="cell-row">
      <Link
        className="cell-link truncate"
        href={addressOfRecord(kind, ref ?? id)}
        tabIndex={useRowTab()}
        data-entry=""
        dir="auto"
      >
        {title}
      </Link>
      {open_questions > 0 && (
        <span className="sign warn" title={texts.openQuestions(open_questions)}>
          <Icon name="question" size={14} />
          <span aria-hidden="true">{open_questions}</span>
          <span className="hidden">{texts.openQuestions(open_questions)}</span>
        </span>
      )}
    </span>
  )
  if (!isNarrow) return titled
  return (
    <>
      {titled}
      <span className="cell-row cell-facts">
        <span className="ref">{ref}</span>
        {progress !== undefined && <PartOf part={progress.done} whole={progress.total} label={texts.progress} />}
        <bdi className="truncate grow">{progress === undefined && parent?.title}</bdi>
        <Time at={updated_at} />
      </span>
    </>
  )
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** The columns and groupings of a list of planned records. */
export function usePlanColumns(board: BoardListItem, kind: PlanKind, shownColumns: readonly string[]) {
  const progress = useProgress(board.id)
  const coverage = useCoverage(board.id, kind === 'spec' && shownColumns.includes('coverage'))
  const { data: names } = useNames(board.id)
  return useMemo(() => {
    const statuses: readonly string[] = planStatuses[kind]
    const nameOf = ({ assignee_id }: PlanSummary) =>
      assignee_id === null ? undefined : shownName(names?.get(assignee_id) ?? assignee_id)
    const statusOf = (status: string | null) => (isPlanStatus(status) ? texts.statuses[status] : '')
    const inFiles = inEnglish(texts)
    const all: Readonly<Record<ColumnId, Omit<TableColumn<PlanSummary>, 'id' | 'label' | 'heading'>>> = {
      ref: {
        cell: ({ ref }) => <span className="ref">{ref}</span>,
        text: ({ ref }) => ref ?? '',
        sortBy: ({ ref }) => ref,
      },
      title: {
        cell: record => <TitleCell kind={kind} record={record} progress={progress.get(record.id)} />,
        text: ({ title }) => title,
        sortBy: ({ title }) => title,
      },
      status: {
        cell: record => <StatusCell kind={kind} record={record} />,
        text: ({ status }) => (isPlanStatus(status) ? inFiles.statuses[status] : ''),
        sortBy: ({ status }) => statuses.indexOf(status ?? ''),
      },
      parent: {
        cell: ({ parent }) =>
          parent === null ? (
            <Nothing />
          ) : (
            <bdi className="truncate cell-text" title={`${parent.ref} ${parent.title}`}>
              {parent.title}
            </bdi>
          ),
        text: ({ parent }) => (parent === null ? '' : `${parent.ref} ${parent.title}`),
        sortBy: ({ parent }) => parent?.title ?? null,
      },
      labels: {
        cell: record => <LabelsCell kind={kind} record={record} />,
        text: ({ labels }) => labels.join(', '),
        sortBy: ({ labels }) => (labels.length === 0 ? null : labels.join(', ')),
      },
      progress: {
        cell: ({ id }) => {
          const { done, total } = progress.get(id) ?? { done: 0, total: 0 }
          return total === 0 ? <Nothing /> : <PartOf part={done} whole={total} label={texts.progress} />
        },
        text: ({ id }) => {
          const found = progress.get(id)
          return found === undefined ? '' : `${found.done}/${found.total}`
        },
        sortBy: ({ id }) => share(progress.get(id)?.done ?? 0, progress.get(id)?.total ?? 0),
        total: records => {
          const sum = summed(records, progress)
          return sum.total === 0 ? null : texts.progressOf(sum.done, sum.total)
        },
      },
      coverage: {
        cell: ({ id }) => {
          const { covered, total } = coverage.get(id) ?? { covered: 0, total: 0 }
          return total === 0 ? <Nothing /> : <PartOf part={covered} whole={total} label={texts.columns.coverage} />
        },
        text: ({ id }) => {
          const found = coverage.get(id)
          return found === undefined || found.total === 0 ? '' : `${found.covered}/${found.total}`
        },
        sortBy: ({ id }) => share(coverage.get(id)?.covered ?? 0, coverage.get(id)?.total ?? 0),
      },
      age: {
        isNumber: true,
        cell: ({ created_at }) => <Time at={created_at} />,
        text: ({ created_at }) => created_at,
        sortBy: ({ created_at }) => -Date.parse(created_at),
      },
      updated: {
        isNumber: true,
        cell: ({ updated_at }) => <Time at={updated_at} />,
        text: ({ updated_at }) => updated_at,
        sortBy: ({ updated_at }) => -Date.parse(updated_at),
      },
      assignee: {
        cell: record => <AssigneeCell kind={kind} record={record} name={nameOf(record)} />,
        text: record => nameOf(record) ?? '',
        sortBy: record => nameOf(record) ?? null,
      },
    }
    const parents = new Map<string, string>()
    const groupings: Readonly<Record<(typeof planGroupings)[number], Omit<Grouping<PlanSummary>, 'id' | 'label'>>> = {
      status: {
        keyOf: ({ status }) => status,
        title: statusOf,
        sign: key => (isPlanStatus(key) ? <PlanStatusSign status={key} /> : null),
        order: statuses,
      },
      parent: {
        keyOf: ({ parent }) => {
          if (parent !== null) parents.set(parent.id, `${parent.ref} ${parent.title}`)
          return parent?.id ?? null
        },
        title: key => (key === null ? texts.noParent : (parents.get(key) ?? key)),
      },
      assignee: {
        keyOf: ({ assignee_id }) => assignee_id,
        title: key => (key === null ? messages.board.unassigned : shownName(names?.get(key) ?? key)),
      },
    }
    return {
      columns: columnsOfKind(kind).map(id => ({
        id,
        label: labelOf(kind, id),
        heading: labelOf(kind, id, inFiles),
        ...all[id],
      })),
      groupings: planGroupings.map(id => ({ id, label: labelOf(kind, id), ...groupings[id] })),
      summaryOf: (records: readonly PlanSummary[]) => {
        const sum = summed(records, progress)
        const questions = records.reduce((count, { open_questions }) => count + open_questions, 0)
        return [
          ...(questions === 0 ? [] : [texts.openQuestions(questions)]),
          ...(sum.total === 0 ? [] : [texts.cardsDone(sum.done, sum.total)]),
        ].join(', ')
      },
    }
  }, [kind, progress, coverage, names])
}

function summed(records: readonly PlanSummary[], progress: ReadonlyMap<string, Progress>): Progress {
  let done = 0
  let total = 0
  for (const { id } of records) {
    done += progress.get(id)?.done ?? 0
    total += progress.get(id)?.total ?? 0
  }
  return { done, total }
}

/** The label of a column; for the parent, its kind. */
export function labelOf(kind: PlanKind, id: ColumnId, { columns, kinds } = texts): string {
  if (id !== 'parent') return columns[id]
  return kind === 'refinement' ? kinds.ideation : kind === 'sprint' ? kinds.spec : columns.parent
}
