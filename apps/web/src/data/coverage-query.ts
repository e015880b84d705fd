import { client } from './client.ts'
import { keys } from './keys.ts'

/** The query of how far each spec of a board is covered. */
export const coverageOf = (boardId: string) => ({
  queryKey: keys.list(boardId, 'analytics', { of: 'coverage' }),
  queryFn: async () => (await client.getCoverageAnalytics({ board_id: boardId, limit: 200 })).items,
  retry: false,
})
