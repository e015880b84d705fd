import { type ReactNode, useId, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { addressOfBoard } from '../address.ts'
import { Icon, type IconName } from '../components/icon.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Mark } from '../components/mark.tsx'
import { Menu, MenuItem } from '../components/menu.tsx'
import { Avatar } from '../components/person.tsx'
import { useBoards } from '../data/boards.ts'
import { useWaiting } from '../data/inbox.ts'
import { useMe, useSignOut } from '../data/session.ts'
import { usePreferences } from '../data/use-preferences.ts'
import { addressOfView, viewName } from '../data/view-address.ts'
import { useViews } from '../data/views.ts'
import { loadAhead } from '../later.ts'
import { number } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'
import { setPreferences } from '../preferences.ts'
import { type NavigationGroup, type PageRoute, routes } from '../routes.ts'

/** The pages of the navigation. */
export const navigated = routes.filter(({ navigation }) => navigation !== undefined)

export const addressIn = (path: string, key: string): string => path.replace(':board', key)

/** Whether a page or a part of it is open. */
const isAt = (location: string, address: string): boolean =>
  location === address || (address !== '/' && location.startsWith(`${address}/`))

/** Pages without a navigation entry: while one is open, the entry of its parent is highlighted. */
const partOf: readonly (readonly [part: RegExp, of: string])[] = [
  [/^\/b\/([^/]+)\/cards\//, 'board'],
  [/^\/b\/([^/]+)\/coverage\//, 'specs'],
  [/^\/i\//, ''],
]

/** The address of the highlighted navigation entry. */
function markedFor(location: string): string {
  for (const [part, of] of partOf) {
    const found = part.exec(location)
    if (found !== null) return of === '' ? '/' : `/b/${found[1]}/${of}`
  }
  return location
}

/** The navigation label of the open page, or of the nearest page that it is part of. */
export const labelAt = (location: string, key: string | undefined): string | undefined =>
  navigated.findLast(({ path }) => isAt(markedFor(location), addressIn(path, key ?? '')))?.navigation?.label

interface PageLinkProps {
  readonly route: PageRoute
  readonly boardKey: string | undefined
  readonly className: string
  readonly iconSize?: number
  readonly children?: ReactNode
}

/** A link to a page, which preloads its script on hover and focus. */
export function PageLink({ route, boardKey, className, iconSize = 16, children }: PageLinkProps) {
  const [location] = useLocation()
  const { icon, label } = route.navigation!
  const address = addressIn(route.path, boardKey ?? '')
  const load = () => void loadAhead(route.page)
  return (
    <Link
      className={className}
      href={address}
      title={label}
      onPointerEnter={load}
      onFocus={load}
      aria-current={isAt(markedFor(location), address) ? 'page' : undefined}
    >
      <Icon name={icon} size={iconSize} />
      <span className="page-link-label">{label}</span>
      {children}
    </Link>
  )
}

/** The number of waiting items, next to the inbox. */
function Waiting() {
  const waiting = useWaiting()
  if (waiting === 0) return null
  return (
    <span className="waiting">
      <span aria-hidden="true">{number(waiting)}</span>
      <span className="hidden">{messages.shell.inboxOf(waiting)}</span>
    </span>
  )
}

interface SidebarProps {
  readonly boardKey: string | undefined
  readonly onSearch: () => void
  readonly onKeys: () => void
}

const texts = messages.shell

/** The left side of every page: boards, search, the pages of the board in groups, the signed-in person. */
export function Sidebar({ boardKey, onSearch, onKeys }: SidebarProps) {
  const isMac = navigator.platform.startsWith('Mac')
  const visible = navigated.filter(({ place }) => place === 'top' || boardKey !== undefined)
  const pagesIn = (group: NavigationGroup) => visible.filter(({ navigation }) => navigation!.group === group)
  return (
    <nav className="side" aria-label={texts.menu}>
      <BoardSwitcher boardKey={boardKey} onSearch={onSearch} />
      <button type="button" className="search-button" onClick={onSearch} title={texts.search}>
        <Icon name="search" />
        <span className="grow">{texts.search}</span>
        <kbd>{isMac ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <div className="side-groups">
        {(['work', 'plan', 'know', 'measure'] as const).map(group => (
          <Group key={group} title={texts.groups[group]} pages={pagesIn(group)} boardKey={boardKey} />
        ))}
        {boardKey !== undefined && <Views boardKey={boardKey} />}
      </div>
      <div className="side-foot">
        <PageLinks pages={pagesIn('foot')} boardKey={boardKey} />
        <Signed onKeys={onKeys} />
      </div>
    </nav>
  )
}

interface PageLinksProps {
  readonly pages: readonly PageRoute[]
  readonly boardKey: string | undefined
  readonly labelledBy?: string
}

const PageLinks = ({ pages, boardKey, labelledBy }: PageLinksProps) => (
  <ul className="plain" aria-labelledby={labelledBy}>
    {pages.map(route => (
      <li key={route.path}>
        <PageLink route={route} boardKey={boardKey} className="side-link">
          {route.path === '/' && <Waiting />}
        </PageLink>
      </li>
    ))}
  </ul>
)

function Group({ title, ...links }: Omit<PageLinksProps, 'labelledBy'> & { readonly title: string }) {
  const id = useId()
  if (links.pages.length === 0) return null
  return (
    <>
      <p id={id} className="side-title">
        {title}
      </p>
      <PageLinks {...links} labelledBy={id} />
    </>
  )
}

/** The saved views of the board, personal and shared. */
function Views({ boardKey }: { readonly boardKey: string }) {
  const id = useId()
  const { data: boards } = useBoards()
  const [location] = useLocation()
  const openId = new URLSearchParams(useSearch()).get(viewName)
  const { data: views = [] } = useViews(boards?.find(({ key }) => key === boardKey)?.id)
  if (views.length === 0) return null
  return (
    <>
      <p id={id} className="side-title">
        {messages.views.title}
      </p>
      <ul className="plain" aria-labelledby={id}>
        {views.map(view => (
          <li key={view.id}>
            <Link
              className="side-link"
              href={addressOfView(boardKey, view)}
              title={view.shared ? messages.views.sharedOne(view.name) : view.name}
              aria-current={openId === view.id && location === `/b/${boardKey}/${view.page}` ? 'page' : undefined}
            >
              <Icon name="bookmark" />
              <bdi className="page-link-label truncate">{view.name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Maximum number of boards in the menu; more are found by name. */
const maxBoards = 11

/** The current board, with a menu of the others. */
function BoardSwitcher({ boardKey, onSearch }: Pick<SidebarProps, 'boardKey' | 'onSearch'>) {
  const [, navigate] = useLocation()
  const { data: boards = [] } = useBoards()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const open = boards.find(({ key }) => key === boardKey)
  const close = () => setAnchor(undefined)
  const name = open?.name ?? texts.product
  if (boards.length === 0)
    return (
      <Link className="switcher" href="/">
        <Mark />
        <strong className="truncate">{name}</strong>
      </Link>
    )
  return (
    <>
      <button
        type="button"
        className="switcher"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        title={name}
        onClick={event => setAnchor(event.currentTarget)}
      >
        <Mark />
        <span className="hidden">{texts.switchBoard}: </span>
        <bdi className="truncate grow">{name}</bdi>
        <Icon name="switch" size={14} />
      </button>
      {anchor !== undefined && (
        <Menu label={texts.switchBoard} anchor={anchor} onClose={close}>
          {boards.slice(0, maxBoards).map(({ id, key, name }) => (
            <MenuItem
              key={id}
              onSelect={() => {
                close()
                navigate(addressOfBoard(key))
              }}
            >
              <bdi className="truncate grow">{name}</bdi>
              <span className="ref">{key}</span>
              <Icon name={key === boardKey ? 'check' : 'blank'} size={14} />
            </MenuItem>
          ))}
          {boards.length > maxBoards && (
            <MenuItem
              onSelect={() => {
                close()
                onSearch()
              }}
            >
              {texts.allBoards}
            </MenuItem>
          )}
        </Menu>
      )}
    </>
  )
}

/** The signed-in person, and buttons to fold the sidebar, show the keys and sign out. */
function Signed({ onKeys }: Pick<SidebarProps, 'onKeys'>) {
  const me = useMe()
  const signOut = useSignOut()
  const { isFolded } = usePreferences()
  const fold = isFolded ? texts.unfold : texts.fold
  const foldIcon: IconName = isFolded ? 'unfold' : 'fold'
  return (
    <div className="signed">
      <Link className="row grow" href="/me" title={texts.signedInAs(me.agent_name)}>
        <Avatar name={me.agent_name} />
        <bdi className="truncate">{me.agent_name}</bdi>
      </Link>
      <IconButton icon="keyboard" label={texts.keys} title={texts.keys} onClick={onKeys} />
      <IconButton icon="out" label={texts.signOut} title={texts.signOut} onClick={() => void signOut()} />
      <span className="by-hand">
        <IconButton icon={foldIcon} label={fold} title={fold} onClick={() => setPreferences({ isFolded: !isFolded })} />
      </span>
    </div>
  )
}
