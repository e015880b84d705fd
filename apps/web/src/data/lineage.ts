import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type LineageGraph = Awaited<ReturnType<typeof client.getLineageGraph>>
export type LineageNode = LineageGraph['nodes'][number]
export type LineageKind = LineageNode['entity_type']

interface LineageOf {
  /** The record whose tree is read; undefined for the whole board. */
  readonly record: { readonly entity_type: string; readonly id: string } | undefined
  readonly include_archived: boolean
  readonly isEnabled: boolean
}

/**
 * The records of a board, or those in the tree of one record, with what led to what (planning 3). The parts of specs
 * are only read for a single tree: on a whole board, there would be many times more parts than records.
 */
export const useLineage = (boardId: string, { record, include_archived, isEnabled }: LineageOf) =>
  useQuery({
    queryKey: keys.list(boardId, 'lineage', { id: record?.id, include_archived }),
    enabled: isEnabled,
    queryFn: () =>
      client.getLineageGraph({
        board_id: boardId,
        include_archived,
        ...(record === undefined
          ? { entity_type: 'board', entity_id: boardId, detail: 'workflow' }
          : { entity_type: record.entity_type, entity_id: record.id }),
      }),
  })
