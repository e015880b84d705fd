import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { addressOfBoard, addressOfRecord } from '../address.ts'
import { useOfferedCommands } from '../components/commands.ts'
import { Dialog } from '../components/dialog.tsx'
import { Icon } from '../components/icon.tsx'
import { recordIcons } from '../components/record-icons.ts'
import { useBoards } from '../data/boards.ts'
import { client } from '../data/client.ts'
import { useSignOut } from '../data/session.ts'
import { usePreferences } from '../data/use-preferences.ts'
import { addressOfView } from '../data/view-address.ts'
import { useViews, type View } from '../data/views.ts'
import { messages } from '../messages/messages.ts'
import { useNearestBoardKey } from '../open-board.ts'
import { languageChoices, setLanguage, setPreferences, themes } from '../preferences.ts'
import { routes } from '../routes.ts'
import { recentRecords, rememberRecent } from './recent.ts'
import './palette.css'

interface Entry {
  readonly id: string
  readonly label: string
  readonly sign: ReactNode
  /** A reference, shown before the text. */
  readonly ref?: string
  /** Its kind, or why it is not available; at the end. */
  readonly note?: string | undefined
  readonly key?: string | undefined
  readonly isClosed?: boolean | undefined
  /** Whether it is a result of the service, possibly for an earlier text while a search is under way. */
  readonly isFound?: true
  readonly run: () => void
}

interface Group {
  readonly name: string
  readonly entries: readonly Entry[]
}

const matches = (text: string, words: readonly string[]): boolean =>
  words.every(word => text.toLowerCase().includes(word))

/** Finds records, boards and actions, and opens them. Part of the first load, so that typing works at once. */
export default function Palette({ onClose, onKeys }: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const { groups, isSearching } = useGroups(text, onClose, onKeys)
  const entries = groups.flatMap(group => group.entries)
  const chosen = Math.min(at, entries.length - 1)
  const [isEntered, setEntered] = useState(false)
  // If Enter is pressed before the results have arrived, it takes effect once they have.
  useEffect(() => {
    const entry = entries[chosen]
    if (!isEntered || (isSearching && (entry === undefined || entry.isFound))) return
    setEntered(false)
    entry?.run()
  })
  const choose = (index: number) => {
    setAt(index)
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }
  const { palette } = messages.shell
  const word = text.trim().toLowerCase()
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
          setEntered(false)
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
            setEntered(true)
          }
        }}
      />
      <div id={listId} role="listbox" aria-label={palette.title} className="palette-list">
        {groups.map(({ name, entries: ofGroup }, place) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no form's
          <div key={name} role="group" aria-label={name}>
            <div className="palette-group" aria-hidden="true">
              {name}
            </div>
            {ofGroup.map((entry, index) => {
              const number = groups.slice(0, place).reduce((sum, group) => sum + group.entries.length, index)
              return (
                <EntryView
                  key={entry.id}
                  entry={entry}
                  id={`${listId}-${number}`}
                  word={word}
                  isChosen={number === chosen}
                  onPoint={() => setAt(number)}
                />
              )
            })}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="notice">{palette.nothing}</p>}
      <p className="palette-foot" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {palette.choose}
        </span>
        <span>
          <kbd>↵</kbd> {palette.doIt}
        </span>
        <span className="grow" />
        <span>
          <kbd>?</kbd> {palette.allKeys}
        </span>
      </p>
    </Dialog>
  )
}

interface EntryViewProps {
  readonly entry: Entry
  readonly id: string
  /** The search text to highlight. */
  readonly word: string
  readonly isChosen: boolean
  readonly onPoint: () => void
}

const EntryView = ({ entry, id, word, isChosen, onPoint }: EntryViewProps) => (
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    aria-disabled={entry.isClosed}
    className="palette-entry"
    onMouseMove={onPoint}
    onClick={entry.run}
    onKeyDown={event => event.key === 'Enter' && entry.run()}
  >
    {entry.sign}
    {entry.ref !== undefined && <span className="ref">{entry.ref}</span>}
    <bdi className="truncate grow">
      <Marked text={entry.label} word={word} />
    </bdi>
    {entry.note !== undefined && <span className="palette-note truncate">{entry.note}</span>}
    {entry.key?.split(' ').map(key => (
      <kbd key={key}>{key}</kbd>
    ))}
  </div>
)

/** A text with the search text highlighted. */
function Marked({ text, word }: { readonly text: string; readonly word: string }) {
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word)
  if (at === -1) return text
  return (
    <>
      {text.slice(0, at)}
      <b>{text.slice(at, at + word.length)}</b>
      {text.slice(at + word.length)}
    </>
  )
}

/** How many entries of a kind are shown. */
const max = 8

function useGroups(text: string, onClose: () => void, onKeys: () => void) {
  const [, navigate] = useLocation()
  const { data: boards } = useBoards()
  const signOut = useSignOut()
  const boardKey = useNearestBoardKey()
  const query = text.trim()
  const { records, isSearching } = useRecords(query)
  const { data: views = noViews } = useViews(boards?.find(({ key }) => key === boardKey)?.id)
  const offered = useOfferedCommands()
  const { theme, density, language } = usePreferences()
  const groups = useMemo(() => {
    const { palette, keySheet } = messages.shell
    const words = query.toLowerCase().split(/\s+/)
    const fits = ({ label, ref = '' }: Entry) => matches(`${ref} ${label}`, words)
    const closing = (run: () => void) => () => {
      onClose()
      run()
    }
    const goTo = (address: string) => closing(() => navigate(address))
    const about = [...Map.groupBy(offered, set => set.about)].map(([name, sets]) => ({
      name,
      entries: sets
        .flatMap(({ commands }) => commands)
        .map(({ run, ...command }) => ({ ...command, run: closing(run) }))
        .filter(fits),
    }))
    const recent = recentRecords().map(record => ({
      id: `recent ${record.id}`,
      ref: record.ref,
      label: record.title,
      sign: <Icon name={recordIcons[record.kind] ?? 'file'} />,
      run: goTo(addressOfRecord(record.kind, record.ref)),
    }))
    const found = records.flatMap(({ id, ref, title, entity_type, parent }): Entry[] => {
      // A record without a page of its own links to its parent.
      const target = ref === null ? parent : { entity_type, ref }
      if (target === null) return []
      const go = goTo(addressOfRecord(target.entity_type, target.ref))
      return [
        {
          id,
          ref: target.ref,
          label: title,
          note: palette.kinds[entity_type],
          sign: <Icon name={recordIcons[entity_type] ?? 'file'} />,
          isFound: true,
          run: () => {
            rememberRecent({ id, kind: target.entity_type, ref: target.ref, title })
            go()
          },
        },
      ]
    })
    const ofBoards = (boards ?? []).map(({ key, name }) => ({
      id: `board ${key}`,
      ref: key,
      label: name,
      sign: <Icon name="board" />,
      run: goTo(addressOfBoard(key)),
    }))
    const pages = routes
      .filter(route => route.navigation !== undefined && (route.place === 'top' || boardKey !== undefined))
      .map(route => ({
        id: route.path,
        label: route.navigation!.label,
        sign: <Icon name={route.navigation!.icon} />,
        key: `g ${route.navigation!.key}`,
        run: goTo(route.path.replace(':board', boardKey ?? '')),
      }))
    const ofViews = (boardKey === undefined ? [] : views).map(view => ({
      id: `view ${view.id}`,
      label: view.name,
      sign: <Icon name="bookmark" />,
      run: goTo(addressOfView(boardKey!, view)),
    }))
    const doings: readonly Entry[] = [
      ...themes
        .filter(other => other !== theme)
        .map(other => ({
          id: `theme ${other}`,
          label: palette.themes[other],
          sign: <Icon name="display" />,
          run: closing(() => setPreferences({ theme: other })),
        })),
      {
        id: 'density',
        label: palette.densities[density === 'compact' ? 'roomy' : 'compact'],
        sign: <Icon name="list" />,
        run: closing(() => setPreferences({ density: density === 'compact' ? 'roomy' : 'compact' })),
      },
      ...languageChoices
        .filter(other => other !== language)
        .map(other => ({
          id: `language ${other}`,
          label: palette.languages[other],
          sign: <Icon name="display" />,
          run: () => setLanguage(other),
        })),
      { id: 'keys', label: keySheet.help, sign: <Icon name="keyboard" />, key: '?', run: onKeys },
      {
        id: 'sign-out',
        label: messages.shell.signOut,
        sign: <Icon name="out" />,
        run: closing(() => void signOut()),
      },
    ]
    const all: readonly Group[] = [
      ...about,
      { name: palette.recent, entries: query === '' ? recent : [] },
      { name: palette.records, entries: found },
      { name: palette.boards, entries: ofBoards.filter(fits).slice(0, max) },
      { name: messages.views.title, entries: ofViews.filter(fits).slice(0, max) },
      { name: palette.goTo, entries: pages.filter(fits) },
      { name: palette.actions, entries: doings.filter(fits) },
    ]
    return all.filter(({ entries }) => entries.length > 0)
  }, [boards, records, views, offered, theme, density, language, query, boardKey, navigate, onClose, onKeys, signOut])
  return { groups, isSearching }
}

const noViews: readonly View[] = []

const noRecords: Awaited<ReturnType<typeof client.searchRecords>>['items'] = []

/** Records that match a search text, or those for the previous text until they are found; empty for an empty text. */
function useRecords(query: string) {
  const {
    data = noRecords,
    isPlaceholderData,
    isPending,
  } = useQuery({
    queryKey: ['search', query],
    enabled: query.length > 1,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await client.searchRecords({ q: query, limit: max }, { signal })).items,
  })
  return query.length > 1
    ? { records: data, isSearching: isPlaceholderData || isPending }
    : { records: noRecords, isSearching: false }
}
