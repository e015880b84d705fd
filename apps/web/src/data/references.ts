import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

/**
 * The record with a reference; null if no such record is visible to the person. Nothing is requested for an empty
 * reference.
 */
export const useReference = (boardId: string, ref: string) =>
  useQuery({
    queryKey: keys.reference(ref),
    enabled: ref !== '',
    queryFn: async () =>
      (await client.searchRecords({ q: ref, board_id: boardId, include_archived: true })).items.find(
        record => record.ref === ref,
      ) ?? null,
  })
