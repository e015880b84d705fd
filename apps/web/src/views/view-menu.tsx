import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Icon } from '../components/icon.tsx'
import { Menu, MenuItem } from '../components/menu.tsx'
import { opening } from '../components/part.tsx'
import { toast } from '../components/toast.tsx'
import type { BoardListItem } from '../data/boards.ts'
import { client } from '../data/client.ts'
import { keys } from '../data/keys.ts'
import { refusalOf } from '../data/refusal.ts'
import { useMe } from '../data/session.ts'
import { shows, storedQuery, viewName } from '../data/view-address.ts'
import { useViews, type View } from '../data/views.ts'
import { messages } from '../messages/messages.ts'
import './views.css'

const ViewDialog = opening(() => import('./view-dialog.tsx'))

const texts = messages.views

/** The page of a board that an address names. */
const pageIn = (location: string): string => location.split('/')[3] ?? ''

/** Saves what a page shows as a view; on a saved view, offers its actions. */
export function ViewMenu({ board }: { readonly board: BoardListItem }) {
  const [query] = useSearchParams()
  const [location] = useLocation()
  const { data: views } = useViews(board.id)
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [asking, setAsking] = useState<View | 'new'>()
  const page = pageIn(location)
  const open = views?.find(view => view.id === query.get(viewName) && view.page === page)
  const currentQuery = storedQuery(query)
  if (open === undefined && currentQuery === '') return null
  const isChanged = open !== undefined && !shows(query, open)
  return (
    <>
      {open === undefined ? (
        <button
          type="button"
          className="button quiet view-button"
          aria-haspopup="dialog"
          onClick={() => setAsking('new')}
        >
          <Icon name="bookmark" />
          <span className="bar-word">{texts.save}</span>
        </button>
      ) : (
        <button
          type="button"
          className="button quiet view-button"
          aria-haspopup="menu"
          aria-expanded={anchor !== undefined}
          title={isChanged ? texts.isChanged(open.name) : open.name}
          onClick={event => setAnchor(event.currentTarget)}
        >
          <Icon name="bookmark" />
          <bdi className="truncate view-name">{open.name}</bdi>
          {isChanged && <span className="view-changed">{texts.changed}</span>}
        </button>
      )}
      {anchor !== undefined && open !== undefined && (
        <OpenView
          board={board}
          view={open}
          isChanged={isChanged}
          currentQuery={currentQuery}
          anchor={anchor}
          onAsk={setAsking}
          onClose={() => setAnchor(undefined)}
        />
      )}
      {asking !== undefined && (
        <ViewDialog
          board={board}
          view={asking === 'new' ? undefined : asking}
          page={page}
          query={currentQuery}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

interface OpenViewProps {
  readonly board: BoardListItem
  readonly view: View
  readonly isChanged: boolean
  readonly currentQuery: string
  readonly anchor: HTMLElement
  readonly onAsk: (about: View | 'new') => void
  readonly onClose: () => void
}

/** The actions on the open view. */
function OpenView({ board, view, isChanged, currentQuery, anchor, onAsk, onClose }: OpenViewProps) {
  const queries = useQueryClient()
  const [, setQuery] = useSearchParams()
  const me = useMe()
  const needs = view.shared ? (['BOARDS_UPDATE'] as const) : []
  const refresh = () => queries.invalidateQueries({ queryKey: keys.list(board.id, 'views') })
  const doing = useMutation({
    mutationFn: async ({ act, says }: { readonly act: () => Promise<unknown>; readonly says: string }) => {
      await act()
      await refresh()
      toast(says)
    },
    onError: error => toast(refusalOf(error).message),
  })
  const item = (says: string, act: () => Promise<unknown>, done: string, itemNeeds: typeof needs = needs) => (
    <MenuItem
      needs={itemNeeds}
      onSelect={() => {
        onClose()
        doing.mutate({ act, says: done })
      }}
    >
      {says}
    </MenuItem>
  )
  const ask = (says: string, about: View | 'new', itemNeeds: typeof needs = needs) => (
    <MenuItem
      needs={itemNeeds}
      onSelect={() => {
        onClose()
        onAsk(about)
      }}
    >
      {says}
    </MenuItem>
  )
  const update = (fields: Partial<Pick<View, 'query' | 'shared'>>) => () =>
    client.updateView({ view_id: view.id, ...fields })
  return (
    <Menu label={view.name} anchor={anchor} onClose={onClose}>
      {isChanged && item(texts.update, update({ query: currentQuery }), texts.updated(view.name))}
      {isChanged && (
        <MenuItem
          onSelect={() => {
            onClose()
            const next = new URLSearchParams(view.query)
            next.set(viewName, view.id)
            setQuery(next)
          }}
        >
          {texts.reset}
        </MenuItem>
      )}
      {ask(texts.saveAs, 'new', [])}
      <hr className="menu-line" />
      {ask(texts.rename, view)}
      {view.shared
        ? view.owner_id === me.agent_id && item(texts.unshare, update({ shared: false }), texts.unshared(view.name))
        : item(texts.share, update({ shared: true }), texts.shared(view.name), ['BOARDS_UPDATE'])}
      {item(
        texts.remove,
        async () => {
          await client.deleteView({ view_id: view.id })
          setQuery(now => {
            const next = new URLSearchParams(now)
            next.delete(viewName)
            return next
          })
        },
        texts.removed(view.name),
      )}
    </Menu>
  )
}
