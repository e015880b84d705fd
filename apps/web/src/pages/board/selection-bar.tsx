import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Failure } from '../../components/refusal.tsx'
import { type BoardListItem, useNames } from '../../data/boards.ts'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { type Needs, writingIn } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'
import { useBulk } from '../../moves/bulk-context.ts'
import { MoveAllMenu } from '../../moves/move-all-menu.tsx'

interface SelectionBarProps {
  readonly cards: readonly CardSummary[]
  readonly board: BoardListItem
  readonly onClear: () => void
  readonly onMove: (to: CardStatus) => void
  /** Told which cards something was done with; the others stay selected. */
  readonly onDone: (ids: ReadonlySet<string>) => void
}

type Change = (card: CardSummary) => Promise<unknown>

const texts = messages.board

/** What can be done with several cards at once. Cards that may not be changed say why and stay selected. */
export function SelectionBar({ cards, board, onClear, onMove, onDone }: SelectionBarProps) {
  const { data: names } = useNames(board.id)
  const bulk = useBulk()
  const [menu, setMenu] = useState<{ readonly kind: 'move' | 'assign'; readonly anchor: HTMLElement }>()
  const [label, setLabel] = useState('')
  const changing = useMutation({
    mutationFn: async (change: { readonly change: Change; readonly undo: Change }) => {
      const changed = cards.map(card => ({ ...card, board_id: board.id }))
      const done = await bulk.change(changed, change)
      if (done.length < cards.length) onDone(new Set(done.map(({ id }) => id)))
    },
  })
  const close = () => setMenu(undefined)
  const writing: Needs = [...new Set(cards.map(({ status }) => writingIn('card', status)))]
  return (
    <div className="selection-bar" role="toolbar" aria-label={texts.selected(cards.length)}>
      <strong className="numbers">{texts.selected(cards.length)}</strong>
      <Button
        needs={['CARDS_MOVE', ...writing]}
        aria-haspopup="menu"
        onClick={event => setMenu({ kind: 'move', anchor: event.currentTarget })}
      >
        {texts.moveTo}
      </Button>
      <Button
        needs={['CARDS_ASSIGN', ...writing]}
        aria-haspopup="menu"
        onClick={event => setMenu({ kind: 'assign', anchor: event.currentTarget })}
      >
        {texts.setAssignee}
      </Button>
      <form
        onSubmit={event => {
          event.preventDefault()
          const added = label.trim()
          if (added === '') return
          setLabel('')
          changing.mutate({
            change: ({ id, labels }) => client.updateCard({ card_id: id, labels: [...new Set([...labels, added])] }),
            undo: ({ id, labels }) => client.updateCard({ card_id: id, labels: [...labels] }),
          })
        }}
      >
        <Input
          needs={['CARDS_LABEL', ...writing]}
          className="input"
          aria-label={texts.addLabel}
          placeholder={texts.addLabel}
          value={label}
          maxLength={100}
          onChange={event => setLabel(event.target.value)}
        />
      </form>
      <IconButton icon="close" label={texts.clearSelection} title={texts.clearSelection} onClick={onClear} />
      <Failure error={changing.error} />
      {menu?.kind === 'move' && (
        <MoveAllMenu count={cards.length} anchor={menu.anchor} onMove={onMove} onClose={close} />
      )}
      {menu?.kind === 'assign' && (
        <Menu label={texts.setAssignee} anchor={menu.anchor} onClose={close}>
          {[[null, texts.unassigned] as const, ...(names ?? [])].map(([id, name]) => (
            <MenuItem
              key={id ?? ''}
              onSelect={() => {
                close()
                changing.mutate({
                  change: card => client.updateCard({ card_id: card.id, assignee_id: id }),
                  undo: card => client.updateCard({ card_id: card.id, assignee_id: card.assignee_id }),
                })
              }}
            >
              {name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  )
}
