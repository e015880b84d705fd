import { useMemo } from 'react'
import { PrioritySign, StatusSign } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useNames, useSprints } from '../../data/boards.ts'
import { type CardPriority, type CardStatus, type CardSummary, cardPriorities, cardStatuses } from '../../data/cards.ts'
import { shownName } from '../../data/shown-name.ts'
import { inEnglish } from '../../messages/language.ts'
import { messages } from '../../messages/messages.ts'
import type { DefaultTableOptions } from '../../table/address.ts'
import type { Grouping, TableColumn } from '../../table/model.ts'
import { useSpecTitles } from '../board/spec-titles.ts'
import {
  AgeCell,
  AssigneeCell,
  ChangeCell,
  CountCell,
  DueCell,
  GroupIcon,
  isLate,
  LabelsCell,
  PriorityCell,
  ProofCell,
  StatusCell,
  TextCell,
  TitleCell,
} from './cells.tsx'

const texts = messages.list
const { board: words } = messages
const inFiles = inEnglish(words)
const { columns: headings } = inEnglish(texts)

/** The columns that can be hidden, in their order; reference and title always stay. */
export const choosable = [
  'priority',
  'status',
  'type',
  'spec',
  'sprint',
  'labels',
  'proof',
  'change',
  'due',
  'age',
  'updated',
  'comments',
  'assignee',
] as const

/** The columns in their order. */
export const columnOrder = ['priority', 'ref', 'title', ...choosable.slice(1)] as const

export const groupings = ['status', 'priority', 'assignee', 'spec', 'sprint', 'type'] as const

export const defaultOptions: DefaultTableOptions = {
  group: 'status',
  columns: ['priority', 'status', 'spec', 'proof', 'change', 'due', 'age', 'assignee'],
}

/** The columns that fit on a phone. */
export const onPhone: ReadonlySet<string> = new Set(['ref', 'title', 'status', 'assignee'])

const importance = new Map(cardPriorities.map((priority, index) => [priority, index]))

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

/** The sort order of the states of changes. */
const changeOrder = ['branch', 'draft', 'open', 'merged']

interface Names {
  readonly people: ReadonlyMap<string, string>
  readonly specs: ReadonlyMap<string, string>
  readonly sprints: ReadonlyMap<string, string>
}

/** The names of the records that cards refer to. */
function useCardNames(board: BoardListItem): Names {
  const { data: people } = useNames(board.id)
  const { data: sprints } = useSprints(board.id)
  const specs = useSpecTitles(board.id)
  return useMemo(
    () => ({
      people: people ?? new Map(),
      specs,
      sprints: new Map((sprints ?? []).map(({ id, title }) => [id, title])),
    }),
    [people, specs, sprints],
  )
}

function columnsOf({ people, specs, sprints }: Names): readonly TableColumn<CardSummary>[] {
  const nameOf = ({ assignee_id }: CardSummary) =>
    assignee_id === null ? undefined : shownName(people.get(assignee_id) ?? assignee_id)
  const whoOf = (card: CardSummary) => card.claim?.agent_name ?? nameOf(card)
  const specOf = ({ spec_id }: CardSummary) => (spec_id === null ? undefined : specs.get(spec_id))
  const sprintOf = ({ sprint_id }: CardSummary) => (sprint_id === null ? undefined : sprints.get(sprint_id))
  const { columns: labels } = texts
  const all: Readonly<
    Record<(typeof columnOrder)[number], Omit<TableColumn<CardSummary>, 'id' | 'label' | 'heading'>>
  > = {
    priority: {
      isSign: true,
      cell: card => <PriorityCell card={card} />,
      text: ({ priority }) => inFiles.priorities[priority],
      sortBy: ({ priority }) => importance.get(priority)!,
    },
    ref: { cell: ({ ref }) => <span className="ref">{ref}</span>, text: ({ ref }) => ref, sortBy: ({ ref }) => ref },
    title: {
      cell: card => <TitleCell card={card} />,
      text: ({ title }) => title,
      sortBy: ({ title }) => title,
      total: cards => texts.count(cards.length),
    },
    status: {
      cell: card => <StatusCell card={card} />,
      text: ({ status }) => inFiles.statuses[status],
      sortBy: ({ status }) => cardStatuses.indexOf(status),
    },
    type: {
      cell: ({ card_type }) => words.types[card_type],
      text: ({ card_type }) => inFiles.types[card_type],
      sortBy: ({ card_type }) => words.types[card_type],
    },
    spec: {
      cell: card => <TextCell>{specOf(card)}</TextCell>,
      text: card => specOf(card) ?? '',
      sortBy: card => specOf(card) ?? null,
    },
    sprint: {
      cell: card => <TextCell>{sprintOf(card)}</TextCell>,
      text: card => sprintOf(card) ?? '',
      sortBy: card => sprintOf(card) ?? null,
    },
    labels: {
      cell: card => <LabelsCell card={card} />,
      text: ({ labels: own }) => own.join(', '),
      sortBy: ({ labels: own }) => (own.length === 0 ? null : own.join(', ')),
    },
    proof: {
      cell: card => <ProofCell card={card} />,
      text: ({ scenarios: { passed, total } }) => (total === 0 ? '' : `${passed}/${total}`),
      sortBy: ({ scenarios: { passed, total } }) => (total === 0 ? null : passed / total),
      total: cards => {
        const { passed, total } = scenariosOf(cards)
        return total === 0 ? null : `${passed}/${total}`
      },
    },
    change: {
      cell: card => <ChangeCell card={card} />,
      text: ({ change_state }) => (change_state === null || change_state === 'none' ? '' : change_state),
      sortBy: ({ change_state }) => {
        const place = changeOrder.indexOf(change_state ?? '')
        return place === -1 ? null : place
      },
    },
    due: {
      isNumber: true,
      cell: card => <DueCell card={card} />,
      text: ({ due_date }) => due_date?.slice(0, 10) ?? '',
      sortBy: ({ due_date }) => timeOf(due_date),
      total: cards => {
        const late = cards.filter(card => isLate(card, Date.now())).length
        return late === 0 ? null : texts.sums.late(late)
      },
    },
    age: {
      isNumber: true,
      cell: card => <AgeCell card={card} />,
      text: ({ moved_at }) => moved_at,
      sortBy: ({ moved_at }) => -Date.parse(moved_at),
    },
    updated: {
      isNumber: true,
      cell: ({ updated_at }) => <Time at={updated_at} />,
      text: ({ updated_at }) => updated_at,
      sortBy: ({ updated_at }) => -Date.parse(updated_at),
    },
    comments: {
      isNumber: true,
      cell: ({ comments_count }) => <CountCell count={comments_count} />,
      text: ({ comments_count }) => String(comments_count),
      sortBy: ({ comments_count }) => comments_count,
      total: cards => cards.reduce((sum, { comments_count }) => sum + comments_count, 0) || null,
    },
    assignee: {
      cell: card => <AssigneeCell card={card} name={nameOf(card)} />,
      text: card => whoOf(card) ?? '',
      sortBy: card => whoOf(card) ?? null,
    },
  }
  return columnOrder.map(id => ({ id, label: labels[id], heading: headings[id], ...all[id] }))
}

function scenariosOf(cards: readonly CardSummary[]) {
  let passed = 0
  let total = 0
  for (const { scenarios } of cards) {
    passed += scenarios.passed
    total += scenarios.total
  }
  return { passed, total }
}

function groupingsOf({ people, specs, sprints }: Names): readonly Grouping<CardSummary>[] {
  const { columns: labels } = texts
  const named = (map: ReadonlyMap<string, string>, without: string) => (key: string | null) =>
    key === null ? without : shownName(map.get(key) ?? key)
  const of: Readonly<Record<(typeof groupings)[number], Omit<Grouping<CardSummary>, 'id' | 'label'>>> = {
    status: {
      keyOf: ({ status }) => status,
      title: key => words.statuses[key as CardStatus],
      sign: key => <StatusSign status={key as CardStatus} />,
      order: cardStatuses,
    },
    priority: {
      keyOf: ({ priority }) => priority,
      title: key => words.priorities[key as CardPriority],
      sign: key => (
        <span aria-hidden="true">
          <PrioritySign priority={key as CardPriority} />
        </span>
      ),
      order: cardPriorities,
    },
    assignee: {
      keyOf: ({ assignee_id }) => assignee_id,
      title: named(people, words.unassigned),
      sign: () => <GroupIcon name="person" />,
    },
    spec: {
      keyOf: ({ spec_id }) => spec_id,
      title: named(specs, words.noSpec),
      sign: () => <GroupIcon name="file" />,
    },
    sprint: {
      keyOf: ({ sprint_id }) => sprint_id,
      title: named(sprints, words.noSprint),
      sign: () => <GroupIcon name="flag" />,
    },
    type: { keyOf: ({ card_type }) => card_type, title: key => words.types[key as CardSummary['card_type']] },
  }
  return groupings.map(id => ({ id, label: labels[id], ...of[id] }))
}

/** The columns and groupings of a list of cards. */
export function useCardColumns(board: BoardListItem) {
  const names = useCardNames(board)
  return useMemo(() => ({ columns: columnsOf(names), groupings: groupingsOf(names) }), [names])
}

/** The highlights of some cards, in a few words. */
export function summaryOf(cards: readonly CardSummary[]): string {
  const { sums } = texts
  const count = (is: (card: CardSummary) => boolean) => cards.filter(is).length
  const isOpen = ({ status }: CardSummary) => status !== 'done' && status !== 'cancelled'
  const { passed, total } = scenariosOf(cards)
  const parts: readonly (readonly [number, (count: number) => string])[] = [
    [count(({ claim }) => claim !== null), sums.working],
    [count(card => isOpen(card) && card.blocked_by > 0), sums.blocked],
    [cards.reduce((sum, { open_questions }) => sum + open_questions, 0), sums.questions],
    [count(card => isOpen(card) && card.checks_state === 'failing'), sums.failing],
    [count(card => isLate(card, Date.now())), sums.late],
  ]
  return [
    ...parts.filter(([number]) => number > 0).map(([number, says]) => says(number)),
    ...(total === 0 ? [] : [sums.scenarios(passed, total)]),
  ].join(', ')
}
