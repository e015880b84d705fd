import { useLocation } from 'wouter'

/** The key of the board whose page is open. */
export const useOpenBoardKey = (): string | undefined => /^\/b\/([^/]+)/.exec(useLocation()[0])?.[1]
