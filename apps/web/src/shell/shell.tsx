import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { Announcer } from '../components/announcer.tsx'
import { Outdated } from '../components/fault.tsx'
import { useHeldSent } from '../components/hold.ts'
import { Icon } from '../components/icon.tsx'
import { type KeyBinding, useKeyboard, useKeys } from '../components/keyboard.ts'
import { NotPresent } from '../components/not-present.tsx'
import { opening } from '../components/part.tsx'
import { ReferenceLinks } from '../components/reference-links.tsx'
import { useTabTitle } from '../components/title.ts'
import { Toasts, undoLast } from '../components/toast.tsx'
import { useBoards } from '../data/boards.ts'
import { useWaiting } from '../data/inbox.ts'
import { useLive } from '../data/live.ts'
import { usePreferences } from '../data/use-preferences.ts'
import { useNotedVisit } from '../data/visit.ts'
import { useLoadedAhead } from '../later.ts'
import { messages } from '../messages/messages.ts'
import { useNearestBoardKey, useOpenBoardKey } from '../open-board.ts'
import { usePageFocus } from './page-focus.ts'
import { addressIn, labelAt, navigated, PageLink, Sidebar } from './sidebar.tsx'
import './shell.css'

const Palette = opening(() => import('./palette.tsx'))

const KeySheet = opening(() => import('./key-sheet.tsx'))

/** The pages of the navigation; those of a board once there is one. */
const pagesIn = (boardKey: string | undefined) =>
  navigated.filter(({ place }) => place === 'top' || boardKey !== undefined)

type Sheet = 'palette' | 'keys' | undefined

/** The frame of every page: navigation, search, keys, connection state. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location, navigate] = useLocation()
  const [sheet, setSheet] = useState<Sheet>()
  const connection = useLive()
  const { data: boards } = useBoards()
  const openKey = useOpenBoardKey()
  const boardKey = useNearestBoardKey()
  const { isFolded } = usePreferences()
  const waiting = useWaiting()
  useTabTitle({
    page: labelAt(location, openKey),
    board: boards?.find(({ key }) => key === openKey)?.name,
    waiting,
  })
  useAppBadge(waiting)
  usePageFocus(location)
  useKeyboard()
  useHeldSent()
  useNotedVisit()
  useLoadedAhead(Palette, KeySheet)
  const { keySheet } = messages.shell
  const bindings = useMemo<readonly KeyBinding[]>(
    () => [
      { keys: 'mod+k', says: keySheet.palette, place: 'everywhere', run: () => setSheet('palette') },
      { keys: 'mod+z', says: messages.shell.undo, place: 'everywhere', run: event => event.shiftKey || undoLast() },
      { keys: '?', says: keySheet.help, place: 'everywhere', run: () => setSheet('keys') },
      ...pagesIn(boardKey).map(({ path, navigation }) => ({
        keys: `g ${navigation!.key}`,
        says: navigation!.label,
        place: 'everywhere' as const,
        run: () => navigate(addressIn(path, boardKey ?? '')),
      })),
    ],
    [boardKey, navigate, keySheet],
  )
  useKeys(bindings)
  return (
    <div className={isFolded ? 'shell folded' : 'shell'}>
      <a className="skip button" href="#content">
        {messages.shell.skip}
      </a>
      <Sidebar boardKey={boardKey} onSearch={() => setSheet('palette')} onKeys={() => setSheet('keys')} />
      <main id="content" tabIndex={-1}>
        <Outdated />
        {connection === 'lost' && (
          <p className="banner" role="status">
            {messages.shell.lost}
          </p>
        )}
        <NotPresent />
        {children}
      </main>
      <BottomNavigation boardKey={boardKey} onSearch={() => setSheet('palette')} />
      <Toasts />
      <Announcer />
      <ReferenceLinks />
      {sheet === 'palette' && <Palette onClose={() => setSheet(undefined)} onKeys={() => setSheet('keys')} />}
      {sheet === 'keys' && <KeySheet onClose={() => setSheet(undefined)} />}
    </div>
  )
}

/**
 * Keeps the badge of the installed app at the number of waiting items (people 5.7); browsers without badges do nothing.
 */
function useAppBadge(waiting: number): void {
  useEffect(() => {
    navigator.setAppBadge?.(waiting).catch(() => undefined)
  }, [waiting])
}

interface BottomProps {
  readonly boardKey: string | undefined
  readonly onSearch: () => void
}

/** The bottom navigation of a phone: its pages, those of a board once there is one. */
const BottomNavigation = ({ boardKey, onSearch }: BottomProps) => (
  <nav className="bottom" aria-label={messages.shell.menu}>
    {pagesIn(boardKey)
      .filter(({ navigation }) => navigation?.isOnPhone)
      .map(route => (
        <PageLink key={route.path} route={route} boardKey={boardKey} className="bottom-link" iconSize={22} />
      ))}
    <button type="button" className="bottom-link" onClick={onSearch}>
      <Icon name="menu" size={22} />
      {messages.shell.more}
    </button>
  </nav>
)
