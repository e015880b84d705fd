import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { basePath } from './base-path.ts'
import { useBoards } from './data/boards.ts'

/** The key of the open board. */
export const useOpenBoardKey = (): string | undefined => /^\/b\/([^/]+)/.exec(useLocation()[0])?.[1]

const keptAs = `specboard-board${basePath}`

/** The board that was last open in this browser, if the browser stores it. */
function lastKey(): string | undefined {
  try {
    return localStorage.getItem(keptAs) ?? undefined
  } catch {
    return undefined
  }
}

/** The key of the board that the navigation leads to: the open one, or the last one, or else the first. */
export function useNearestBoardKey(): string | undefined {
  const openKey = useOpenBoardKey()
  const { data: boards } = useBoards()
  useEffect(() => {
    try {
      if (openKey !== undefined) localStorage.setItem(keptAs, openKey)
    } catch {
      // Without storage, the first board is used.
    }
  }, [openKey])
  if (openKey !== undefined) return openKey
  const storedKey = lastKey()
  return (boards?.find(({ key }) => key === storedKey) ?? boards?.[0])?.key
}
