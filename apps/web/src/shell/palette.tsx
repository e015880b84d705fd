import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { addressOfBoard, addressOfRecord } from '../address.ts'
import { Dialog } from '../components/dialog.tsx'
import { useBoards } from '../data/boards.ts'
import { client } from '../data/client.ts'
import { useSignOut } from '../data/session.ts'
import { messages } from '../messages/messages.ts'
import { useNearestBoardKey } from '../open-board.ts'
import { routes } from '../routes.ts'
import './palette.css'

interface Entry {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly hint: string
  readonly run: () => void
}

const matches = (text: string, words: readonly string[]): boolean =>
  words.every(word => text.toLowerCase().includes(word))

/** Finds records, boards and actions, and goes there. Part of the first load: one types on as soon as it is asked for. */
export function Palette({ onClose, onKeys }: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const entries = useEntries(text, onClose, onKeys)
  const chosen = Math.min(at, entries.length - 1)
  const choose = (index: number) => {
    setAt(index)
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  }
  const { palette } = messages.shell
  return (
    <Dialog title={palette.title} kind="palette" onClose={onClose}>
      <input
        className="palette-input"
        role="combobox"
        aria-label={palette.title}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries.length === 0 ? undefined : `${listId}-${chosen}`}
        placeholder={palette.placeholder}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') {
            event.preventDefault()
            onClose()
          } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            const step = event.key === 'ArrowDown' ? 1 : entries.length - 1
            if (entries.length > 0) choose((chosen + step) % entries.length)
          } else if (event.key === 'Enter') {
            event.preventDefault()
            entries[chosen]?.run()
          }
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label={palette.title} className="palette-list">
        {entries.map(({ id, group, label, hint, run }, index) => (
          <div
            key={id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="palette-entry"
            onMouseMove={() => setAt(index)}
            onClick={run}
            onKeyDown={event => event.key === 'Enter' && run()}
          >
            <span className="ref palette-hint">{hint}</span>
            <span className="truncate grow">{label}</span>
            <span className="muted palette-group">{group}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="notice">{palette.nothing}</p>}
    </Dialog>
  )
}

/** How many entries of a kind are shown. */
const most = 8

function useEntries(text: string, onClose: () => void, onKeys: () => void): readonly Entry[] {
  const [, navigate] = useLocation()
  const { data: boards } = useBoards()
  const signOut = useSignOut()
  const boardKey = useNearestBoardKey()
  const query = useDeferredValue(text.trim())
  const records = useRecords(query)
  const { palette, keySheet } = messages.shell
  return useMemo(() => {
    const words = query.toLowerCase().split(/\s+/)
    const goTo = (address: string) => () => {
      onClose()
      navigate(address)
    }
    const pages = routes
      .filter(route => route.navigation !== undefined && (route.place === 'top' || boardKey !== undefined))
      .map(route => ({
        id: route.path,
        group: palette.actions,
        label: route.navigation!.label,
        hint: `g ${route.navigation!.key}`,
        run: goTo(route.path.replace(':board', boardKey ?? '')),
      }))
    const actions = [
      ...pages,
      { id: 'keys', group: palette.actions, label: keySheet.help, hint: '?', run: onKeys },
      {
        id: 'sign-out',
        group: palette.actions,
        label: messages.shell.signOut,
        hint: '',
        run: () => {
          onClose()
          void signOut()
        },
      },
    ]
    const ofBoards = (boards ?? []).map(({ key, name }) => ({
      id: `board ${key}`,
      group: palette.boards,
      label: name,
      hint: key,
      run: goTo(addressOfBoard(key)),
    }))
    const fits = ({ label, hint }: Entry) => matches(`${hint} ${label}`, words)
    const found = records.flatMap(({ id, ref, title, entity_type, parent }) => {
      // What has no page of its own leads to the record that it hangs on.
      const shown = ref === null ? parent : { entity_type, ref }
      return shown === null
        ? []
        : {
            id,
            group: palette.kinds[entity_type],
            label: title,
            hint: shown.ref,
            run: goTo(addressOfRecord(shown.entity_type, shown.ref)),
          }
    })
    return [...found, ...ofBoards.filter(fits).slice(0, most), ...actions.filter(fits)]
  }, [boards, records, query, boardKey, navigate, onClose, onKeys, signOut, palette, keySheet])
}

/** Records that match some words; none for no words. */
function useRecords(query: string) {
  const { data } = useQuery({
    queryKey: ['search', query],
    enabled: query.length > 1,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await client.searchRecords({ q: query, limit: most }, { signal })).items,
  })
  return query.length > 1 ? (data ?? []) : []
}
