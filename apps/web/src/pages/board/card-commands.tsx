import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { addressOfCard } from '../../address.ts'
import { type Command, useCommands } from '../../components/commands.ts'
import { copyLink } from '../../components/copy-link.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { toast } from '../../components/toast.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardSummary } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { type Needs, writingIn } from '../../data/needs.ts'
import { type Closure, useClosure } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'
import { useAssignToMe } from '../../moves/assign-to-me.ts'
import { useBulk } from '../../moves/bulk-context.ts'
import type { ChangedField } from './card-changes.tsx'

interface CardCommandsProps {
  readonly root: RefObject<HTMLElement | null>
  readonly board: BoardListItem
  /** The cards that are shown. */
  readonly cards: readonly CardSummary[]
  readonly chosen: readonly CardSummary[]
  readonly onOpen: (ref: string) => void
  /** Lets somebody choose where the cards go. */
  readonly onMove: (cards: readonly CardSummary[], anchor: HTMLElement) => void
  readonly onChange: (field: ChangedField, cards: readonly CardSummary[], anchor: HTMLElement) => void
}

const texts = messages.board

/** Offers actions on the selected cards in the palette, or on the card that last had the focus. */
export function CardCommands(props: CardCommandsProps) {
  const { root, cards, chosen } = props
  const last = useLastFocused(root)
  const focused = cards.find(({ id }) => id === last)
  const targets = chosen.length > 0 ? chosen : focused === undefined ? [] : [focused]
  return targets.length === 0 ? null : <Offered {...props} targets={targets} />
}

/** The id of the card that last had the focus: the palette takes the focus itself. */
function useLastFocused(root: RefObject<HTMLElement | null>): string | undefined {
  const [last, setLast] = useState<string>()
  useEffect(() => {
    const element = root.current
    const onFocus = ({ target }: FocusEvent) => {
      const card = target instanceof Element ? target.closest<HTMLElement>('[data-card], [data-row]') : null
      if (card !== null) setLast(card.dataset.card ?? card.dataset.row)
    }
    element?.addEventListener('focusin', onFocus)
    return () => element?.removeEventListener('focusin', onFocus)
  }, [root])
  return last
}

interface OfferedProps extends CardCommandsProps {
  readonly targets: readonly CardSummary[]
}

function Offered({ root, board, targets, onOpen, onMove, onChange }: OfferedProps) {
  const [first] = targets
  const count = targets.length
  const bulk = useBulk()
  const assignToMe = useAssignToMe(board.id)
  const onBoard = targets.map(card => ({ ...card, board_id: board.id }))
  const claiming = useMutation({
    mutationFn: () =>
      bulk.change(onBoard, {
        change: ({ id }) => client.claimCard({ card_id: id }),
        undo: ({ id }) => client.releaseClaim({ card_id: id }),
      }),
  })
  const writing: Needs = [...new Set(targets.map(({ status }) => writingIn('card', status)))]
  const moving = useClosure(['CARDS_MOVE', ...writing])
  const assigning = useClosure(['CARDS_ASSIGN', ...writing])
  const updating = useClosure(['CARDS_UPDATE', ...writing])
  const labelling = useClosure(['CARDS_LABEL', ...writing])
  const taking = useClosure(['CARDS_CLAIM'])
  const anchorOf = (act: (anchor: HTMLElement) => void) => () => {
    const element =
      (count === 1 &&
        root.current?.querySelector<HTMLElement>(`[data-card="${first!.id}"] a, [data-row="${first!.id}"] a`)) ||
      root.current?.querySelector<HTMLElement>('.selection-bar') ||
      root.current
    if (element !== null) act(element)
  }
  const changing = (field: ChangedField) => anchorOf(anchor => onChange(field, targets, anchor))
  const copy = async () => {
    if (count === 1) return copyLink({ reference: first!.ref, address: addressOfCard(board.key, first!.ref) })
    const refs = targets.map(({ ref }) => ref).join(', ')
    await navigator.clipboard.writeText(refs)
    toast(messages.shell.copied(refs))
  }
  const opening = command('open', texts.keys.open, 'expand', ' ', undefined, () => onOpen(first!.ref))
  useCommands(count === 1 ? `${first!.ref} ${first!.title}` : texts.selected(count), [
    ...(count === 1 ? [{ ...opening, key: '␣' }] : []),
    command(
      'move',
      texts.moveTo,
      'arrow',
      'm',
      moving,
      anchorOf(anchor => onMove(targets, anchor)),
    ),
    command('assign', texts.choose.assignee(count), 'person', 'a', assigning, changing('assignee')),
    command('to-me', texts.keys.toMe, 'person', 'i', assigning, () => assignToMe(targets)),
    command('claim', texts.commands.claim, 'flag', undefined, taking, claiming.mutate),
    command('priority', texts.choose.priority(count), 'chart', 'p', updating, changing('priority')),
    command('label', texts.choose.label(count), 'edit', 'l', labelling, changing('label')),
    command('due', messages.list.due(count), 'calendar', 'd', updating, changing('due')),
    command('copy', texts.commands.copy(count), 'copy', undefined, undefined, () => void copy()),
  ])
  return null
}

/** A command; if it is not available, choosing it says what is missing. */
function command(
  id: string,
  label: string,
  icon: IconName,
  key: string | undefined,
  closure: Closure | undefined,
  run: () => void,
): Command {
  const note = closure && messages.permissions.lacks(closure.permission)
  return {
    id: `cards ${id}`,
    label,
    sign: <Icon name={icon} />,
    ...(key !== undefined && { key }),
    note,
    isClosed: note !== undefined,
    run: note === undefined ? run : () => toast(note),
  }
}
