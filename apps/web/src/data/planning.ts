import type { CallOptions } from '@specboard/client/calls'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'
import { readTagged, showRead } from './tagged.ts'

export type Ideation = Awaited<ReturnType<typeof client.getIdeation>>
export type Refinement = Awaited<ReturnType<typeof client.getRefinement>>
export type Spec = Awaited<ReturnType<typeof client.getSpec>>
export type Sprint = Awaited<ReturnType<typeof client.getSprint>>

/** The planned records, by kind. */
export interface PlanRecords {
  readonly ideation: Ideation
  readonly refinement: Refinement
  readonly spec: Spec
  readonly sprint: Sprint
}

export type PlanKind = keyof PlanRecords
export type PlanRecord = PlanRecords[PlanKind]
export type PlanStatus = PlanRecord['status']

/** The kinds, in the order of the work, with their statuses in order. */
export const planStatuses = {
  ideation: ['draft', 'review', 'approved', 'evaluating', 'done', 'cancelled'],
  refinement: ['draft', 'review', 'approved', 'done', 'cancelled'],
  spec: ['draft', 'review', 'approved', 'validated', 'in_progress', 'done', 'cancelled'],
  sprint: ['draft', 'active', 'review', 'closed', 'cancelled'],
} as const satisfies { readonly [K in PlanKind]: readonly PlanRecords[K]['status'][] }

/** Whether records of a kind are planned records; cards are not. */
export const isPlanKind = (kind: string): kind is PlanKind => Object.hasOwn(planStatuses, kind)

export type HistoryEntry = Omit<
  Awaited<ReturnType<typeof client.listSpecHistory>>['items'][number],
  'spec_id' | 'changes'
>
type Changes = Readonly<Record<string, unknown>>

/** The calls of one kind of record. */
interface Calls<K extends PlanKind> {
  read(id: string, options: CallOptions): Promise<PlanRecords[K]>
  create(boardId: string, title: string, parentId: string): Promise<{ readonly ref: string }>
  update(id: string, changes: Changes, options: CallOptions): Promise<unknown>
  move(id: string, status: string): Promise<unknown>
  delete(id: string): Promise<unknown>
  history(id: string): Promise<{ readonly items: readonly HistoryEntry[]; readonly total: number }>
}

const historyAtOnce = 50

export const planCalls: { readonly [K in PlanKind]: Calls<K> } = {
  ideation: {
    read: (ideation_id, options) => client.getIdeation({ ideation_id }, options),
    create: (board_id, title) => client.createIdeation({ board_id, title }),
    update: (ideation_id, changes, options) => client.updateIdeation({ ...changes, ideation_id }, options),
    move: (ideation_id, status) => client.moveIdeation({ ideation_id, status: status as Ideation['status'] }),
    delete: ideation_id => client.deleteIdeation({ ideation_id }),
    history: ideation_id => client.listIdeationHistory({ ideation_id, limit: historyAtOnce }),
  },
  refinement: {
    read: (refinement_id, options) => client.getRefinement({ refinement_id }, options),
    create: (_, title, ideation_id) => client.createRefinement({ ideation_id, title, in_scope: [title] }),
    update: (refinement_id, changes, options) => client.updateRefinement({ ...changes, refinement_id }, options),
    move: (refinement_id, status) => client.moveRefinement({ refinement_id, status: status as Refinement['status'] }),
    delete: refinement_id => client.deleteRefinement({ refinement_id }),
    history: refinement_id => client.listRefinementHistory({ refinement_id, limit: historyAtOnce }),
  },
  spec: {
    read: (spec_id, options) => client.getSpec({ spec_id }, options),
    create: (board_id, title) => client.createSpec({ board_id, title }),
    // Removing an item from the list on a page is always deliberate (crew 1.4).
    update: (spec_id, changes, options) => client.updateSpec({ ...changes, allow_removal: true, spec_id }, options),
    move: (spec_id, status) => client.moveSpec({ spec_id, status: status as Spec['status'] }),
    delete: spec_id => client.deleteSpec({ spec_id }),
    history: spec_id => client.listSpecHistory({ spec_id, limit: historyAtOnce }),
  },
  sprint: {
    read: (sprint_id, options) => client.getSprint({ sprint_id }, options),
    create: (board_id, title, spec_id) => client.createSprint({ board_id, spec_id, title }),
    update: (sprint_id, changes, options) => client.updateSprint({ ...changes, sprint_id }, options),
    move: (sprint_id, status) => client.moveSprint({ sprint_id, status: status as Sprint['status'] }),
    delete: sprint_id => client.deleteSprint({ sprint_id }),
    history: sprint_id => client.listSprintHistory({ sprint_id, limit: historyAtOnce }),
  },
}

export type PlanSummary = Awaited<ReturnType<typeof client.searchRecords>>['items'][number]

const listedAtOnce = 200

/** The records of a kind on a board, most recently changed first. */
export const usePlanList = (boardId: string, kind: PlanKind, include_archived = false) =>
  useQuery({
    queryKey: keys.list(boardId, kind, { include_archived }),
    queryFn: async () => {
      const items: PlanSummary[] = []
      for (;;) {
        const page = await client.searchRecords({
          board_id: boardId,
          kind,
          include_archived,
          limit: listedAtOnce,
          offset: items.length,
        })
        items.push(...page.items)
        if (page.items.length === 0 || items.length >= page.total) break
      }
      return items.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
    },
  })

/** A record as it was read, with its ETag, which makes edits conditional. */
export interface ReadPlan<K extends PlanKind = PlanKind> {
  readonly record: PlanRecords[K]
  readonly tag: string
}

export async function readPlan<K extends PlanKind>(kind: K, id: string): Promise<ReadPlan<K>> {
  const { answer: record, tag } = await readTagged(options => planCalls[kind].read(id, options))
  return { record, tag }
}

/** A record with everything on it, by its id or reference; nothing is read if that is null. */
export const usePlan = <K extends PlanKind>(kind: K, idOrRef: string | null) =>
  useQuery({
    queryKey: keys.record(kind, idOrRef ?? ''),
    queryFn: () => readPlan(kind, idOrRef!),
    enabled: idOrRef !== null,
  })

/** Reads a record again and shows it everywhere. */
export async function refreshPlan<K extends PlanKind>(queries: QueryClient, kind: K, id: string): Promise<ReadPlan<K>> {
  const read = await readPlan(kind, id)
  showRead(queries, kind, read.record, read)
  void queries.invalidateQueries({
    queryKey: keys.record(kind, read.record.id),
    predicate: ({ queryKey }) => queryKey.length > 3,
  })
  return read
}
