import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { type Needs, writingIn } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'
import { MoveAllMenu } from '../../moves/move-all-menu.tsx'
import { type ChangedField, useCardChange } from './card-changes.tsx'

interface SelectionBarProps {
  readonly cards: readonly CardSummary[]
  readonly board: BoardListItem
  readonly onClear: () => void
  readonly onMove: (to: CardStatus) => void
  /** Lets somebody choose a new value for all of them. */
  readonly onChange: (field: ChangedField, anchor: HTMLElement) => void
  /** Called with the ids of the changed cards; the others stay selected. */
  readonly onDone: (ids: ReadonlySet<string>) => void
}

const texts = messages.board

/** Actions on several cards. For cards that may not be changed, the reason is shown, and they stay selected. */
export function SelectionBar({ cards, board, onClear, onMove, onChange, onDone }: SelectionBarProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [label, setLabel] = useState('')
  const unlabelled = cards.filter(({ labels }) => !labels.includes(label.trim()))
  const change = useCardChange(board, unlabelled, onDone)
  const writing: Needs = [...new Set(cards.map(({ status }) => writingIn('card', status)))]
  const addLabel = (event: FormEvent) => {
    event.preventDefault()
    const added = label.trim()
    if (added === '') return
    setLabel('')
    if (unlabelled.length > 0) change('label', added)
  }
  return (
    <div className="selection-bar" role="toolbar" aria-label={texts.selected(cards.length)}>
      <strong className="numbers">{texts.selected(cards.length)}</strong>
      <Button needs={['CARDS_MOVE', ...writing]} aria-haspopup="menu" onClick={event => setAnchor(event.currentTarget)}>
        {texts.moveTo}
      </Button>
      <Button
        needs={['CARDS_ASSIGN', ...writing]}
        aria-haspopup="dialog"
        onClick={event => onChange('assignee', event.currentTarget)}
      >
        {texts.setAssignee}
      </Button>
      <Button
        needs={['CARDS_UPDATE', ...writing]}
        aria-haspopup="dialog"
        onClick={event => onChange('priority', event.currentTarget)}
      >
        {texts.setPriority}
      </Button>
      <Button
        needs={['CARDS_UPDATE', ...writing]}
        aria-haspopup="dialog"
        onClick={event => onChange('due', event.currentTarget)}
      >
        {texts.setDue}
      </Button>
      <form onSubmit={addLabel}>
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
      {anchor !== undefined && (
        <MoveAllMenu count={cards.length} anchor={anchor} onMove={onMove} onClose={() => setAnchor(undefined)} />
      )}
    </div>
  )
}
