import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { addressOfBoard } from '../address.ts'
import { Announcer } from '../components/announcer.tsx'
import { Outdated } from '../components/fault.tsx'
import { Icon } from '../components/icon.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { type KeyBinding, useKeyboard, useKeys } from '../components/keyboard.ts'
import { useTabTitle } from '../components/title.ts'
import { Toasts } from '../components/toast.tsx'
import { useBoards } from '../data/boards.ts'
import { useWaiting } from '../data/inbox.ts'
import { useLive } from '../data/live.ts'
import { useMe, useSignOut } from '../data/session.ts'
import { later, loadAhead, useLoadedAhead } from '../later.ts'
import { messages } from '../messages/messages.ts'
import { useOpenBoardKey } from '../open-board.ts'
import { type PageRoute, routes } from '../routes.ts'
import { Palette } from './palette.tsx'
import './shell.css'

const KeySheet = later(() => import('./key-sheet.tsx'))

const topPages = routes.filter(route => route.place === 'top' && route.navigation !== undefined)
const boardPages = routes.filter(route => route.place === 'board' && route.navigation !== undefined)

const addressIn = (path: string, key: string): string => path.replace(':board', key)

/** Whether a page or a part of it is open. */
const isAt = (location: string, address: string): boolean =>
  location === address || (address !== '/' && location.startsWith(`${address}/`))

/** What the navigation calls the page that is open: the nearest one of which it is a part. */
const labelAt = (location: string, key: string | undefined): string | undefined =>
  [...topPages, ...boardPages].findLast(({ path }) => isAt(location, addressIn(path, key ?? '')))?.navigation?.label

type Sheet = 'palette' | 'keys' | undefined

/** What stands around every page: navigation, search, keys, the state of the connection. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location, navigate] = useLocation()
  const [sheet, setSheet] = useState<Sheet>()
  const connection = useLive()
  const { data: boards } = useBoards()
  const openKey = useOpenBoardKey()
  const boardKey = openKey ?? boards?.[0]?.key
  const waiting = useWaiting()
  useTabTitle({
    page: labelAt(location, openKey),
    board: boards?.find(({ key }) => key === openKey)?.name,
    waiting,
  })
  useKeyboard()
  useLoadedAhead(KeySheet)
  const { keySheet } = messages.shell
  const bindings = useMemo<readonly KeyBinding[]>(
    () => [
      { keys: 'mod+k', says: keySheet.palette, place: 'everywhere', run: () => setSheet('palette') },
      { keys: '?', says: keySheet.help, place: 'everywhere', run: () => setSheet('keys') },
      ...[...topPages, ...(boardKey === undefined ? [] : boardPages)].map(({ path, navigation }) => ({
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
    <div className="shell">
      <a className="skip button" href="#content">
        {messages.shell.skip}
      </a>
      <Navigation
        boardKey={openKey}
        location={location}
        onSearch={() => setSheet('palette')}
        onKeys={() => setSheet('keys')}
      />
      <main id="content" tabIndex={-1}>
        <Outdated />
        {connection === 'lost' && (
          <p className="banner" role="status">
            {messages.shell.lost}
          </p>
        )}
        {children}
      </main>
      <BottomNavigation boardKey={boardKey} location={location} onSearch={() => setSheet('palette')} />
      <Toasts />
      <Announcer />
      {sheet === 'palette' && <Palette onClose={() => setSheet(undefined)} onKeys={() => setSheet('keys')} />}
      <Suspense>{sheet === 'keys' && <KeySheet onClose={() => setSheet(undefined)} />}</Suspense>
    </div>
  )
}

interface NavigationProps {
  readonly boardKey: string | undefined
  readonly location: string
  readonly onSearch: () => void
}

const currentIf = (isCurrent: boolean) => (isCurrent ? { 'aria-current': 'page' as const } : {})

interface PageLinkProps {
  readonly route: PageRoute
  readonly address: string
  readonly location: string
  readonly className: string
  readonly iconSize?: number
}

/** Leads to a page, whose script is loaded once somebody is about to go there. */
function PageLink({ route, address, location, className, iconSize }: PageLinkProps) {
  const { icon, label } = route.navigation!
  const load = () => void loadAhead(route.page)
  return (
    <Link
      className={className}
      href={address}
      onPointerEnter={load}
      onFocus={load}
      {...currentIf(isAt(location, address))}
    >
      <Icon name={icon} {...(iconSize !== undefined && { size: iconSize })} />
      {label}
    </Link>
  )
}

function Navigation({ boardKey, location, onSearch, onKeys }: NavigationProps & { readonly onKeys: () => void }) {
  const { data: boards } = useBoards()
  const me = useMe()
  const signOut = useSignOut()
  return (
    <nav className="side" aria-label={messages.shell.menu}>
      <div className="side-head row">
        <span className="logo" aria-hidden="true" />
        <strong className="grow">{messages.shell.product}</strong>
        <IconButton icon="keyboard" label={messages.shell.keys} title={messages.shell.keys} onClick={onKeys} />
      </div>
      <button type="button" className="search-button" onClick={onSearch}>
        <Icon name="search" />
        <span className="grow">{messages.shell.search}</span>
        <kbd>{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <ul className="plain side-list">
        {topPages.map(route => (
          <li key={route.path}>
            <PageLink route={route} address={route.path} location={location} className="side-link" />
          </li>
        ))}
      </ul>
      <h2 className="side-title">{messages.shell.boards}</h2>
      <ul className="plain side-list side-boards">
        {boards?.map(({ key, name, id }) => (
          <li key={id}>
            <Link className="side-link" href={addressOfBoard(key)} {...currentIf(false)}>
              <span className="side-key">{key}</span>
              <span className="truncate">{name}</span>
            </Link>
            {key === boardKey && (
              <ul className="plain side-list side-pages">
                {boardPages.map(route => (
                  <li key={route.path}>
                    <PageLink
                      route={route}
                      address={addressIn(route.path, key)}
                      location={location}
                      className="side-link"
                    />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        {boards?.length === 0 && <li className="muted side-none">{messages.shell.noBoards}</li>}
      </ul>
      <div className="side-foot row">
        <span className="truncate grow muted" title={messages.shell.signedInAs(me.agent_name)}>
          {me.agent_name}
        </span>
        <IconButton
          icon="out"
          label={messages.shell.signOut}
          title={messages.shell.signOut}
          onClick={() => void signOut()}
        />
      </div>
    </nav>
  )
}

/** The pages that a phone has at its bottom; those of a board once there is one. */
const phonePages = (boardKey: string | undefined) =>
  [...topPages, ...(boardKey === undefined ? [] : boardPages)].filter(({ navigation }) => navigation?.isOnPhone)

/** The navigation of a phone. */
const BottomNavigation = ({ boardKey, location, onSearch }: NavigationProps) => (
  <nav className="bottom" aria-label={messages.shell.menu}>
    {phonePages(boardKey).map(route => (
      <PageLink
        key={route.path}
        route={route}
        address={addressIn(route.path, boardKey ?? '')}
        location={location}
        className="bottom-link"
        iconSize={20}
      />
    ))}
    <button type="button" className="bottom-link" onClick={onSearch}>
      <Icon name="search" size={20} />
      {messages.shell.more}
    </button>
  </nav>
)
