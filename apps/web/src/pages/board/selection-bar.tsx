import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Failure } from '../../components/refusal.tsx'
import { StatusSign } from '../../components/status.tsx'
import { toast } from '../../components/toast.tsx'
import { type BoardListItem, useNames } from '../../data/boards.ts'
import { type CardSummary, cardStatuses, refreshCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { type Needs, writingIn } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'
import { useMoveCard } from '../../moves/move-context.ts'

interface SelectionBarProps {
  readonly cards: readonly CardSummary[]
  readonly board: BoardListItem
  readonly onClear: () => void
}

type Change = (card: CardSummary) => Promise<unknown>

const texts = messages.board

/** What can be done with several cards at once. Cards that may not be changed say why and stay selected. */
export function SelectionBar({ cards, board, onClear }: SelectionBarProps) {
  const queries = useQueryClient()
  const { data: names } = useNames(board.id)
  const move = useMoveCard()
  const [menu, setMenu] = useState<{ readonly kind: 'move' | 'assign'; readonly anchor: HTMLElement }>()
  const [label, setLabel] = useState('')
  const changing = useMutation({
    mutationFn: async ({ change, undo }: { readonly change: Change; readonly undo: Change }) => {
      for (const card of cards) await change(card)
      const takeBack = async () => {
        for (const card of cards) await undo(card)
      }
      toast(texts.labelled(cards.length), () => void takeBack())
    },
    onSettled: () => refreshCards(queries, board.id, new Set(cards.map(card => card.id))),
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
        <Menu label={texts.moveTo} anchor={menu.anchor} onClose={close}>
          {cardStatuses.map(status => (
            <MenuItem
              key={status}
              onSelect={async () => {
                close()
                for (const card of cards) await move({ ...card, board_id: board.id }, status)
                onClear()
              }}
            >
              <StatusSign status={status} />
              {texts.statuses[status]}
            </MenuItem>
          ))}
        </Menu>
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
