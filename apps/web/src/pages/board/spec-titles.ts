import { useMemo } from 'react'
import { useSpecs } from '../../data/boards.ts'

/** The titles of the specs of a board, by their ids. */
export function useSpecTitles(boardId: string): ReadonlyMap<string, string> {
  const { data: specs } = useSpecs(boardId)
  return useMemo(() => new Map((specs ?? []).map(({ id, title }) => [id, title])), [specs])
}
