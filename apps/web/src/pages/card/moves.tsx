import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useCommands } from '../../components/commands.ts'
import { Guarded } from '../../components/guarded.tsx'
import { Icon } from '../../components/icon.tsx'
import { StatusSign } from '../../components/status.tsx'
import { StatusMenu } from '../../components/status-menu.tsx'
import type { Card } from '../../data/cards.ts'
import { type CardMove, cardMoves, isRefused, noteOf, refusalOfMove } from '../../data/moves.ts'
import { messages } from '../../messages/messages.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import { ValidateDialog } from './validate-dialog.tsx'

const texts = messages.card

/** The status of the card with its possible moves; and validation, when it is due. */
export function Moves({ card }: { readonly card: Card }) {
  const { data } = useQuery(cardMoves(card.id))
  const move = useMoveCard()
  const [isValidating, setValidating] = useState(false)
  const validation = data?.operations.find(({ operation }) => operation === 'submit_task_validation')
  const moves = data?.moves ?? []
  useCommands(
    `${card.ref} ${card.title}`,
    moves.map(allowed => ({
      id: allowed.to,
      label: texts.moveTo(messages.board.statuses[allowed.to]),
      sign: <StatusSign status={allowed.to} />,
      note: noteOf(allowed),
      isClosed: isRefused(allowed),
      run: () => void move(card, allowed.to),
    })),
  )
  return (
    <StatusMenu
      label={texts.moves}
      status={messages.board.statuses[card.status]}
      sign={<StatusSign status={card.status} />}
      moves={moves.map(allowed => ({
        to: allowed.to,
        isClosed: isRefused(allowed),
        render: leave => (
          <MoveButton
            move={allowed}
            onMove={() => {
              leave()
              void move(card, allowed.to)
            }}
          />
        ),
      }))}
      note={<Skipped moves={moves} />}
    >
      {card.status === 'validation' && (
        <Button
          className={validation?.state === 'blocked' ? 'button' : 'button primary'}
          needs={['CARDS_VALIDATE']}
          allowed={validation}
          onClick={() => setValidating(true)}
        >
          {texts.validate}
        </Button>
      )}
      {card.status === 'validation' && validation?.state === 'blocked' && (
        <p className="muted">{refusalOfMove(validation).message}</p>
      )}
      {isValidating && <ValidateDialog card={card} onClose={() => setValidating(false)} />}
    </StatusMenu>
  )
}

/** A move with a short note on what blocks it; choosing a closed one shows each of its gates with what opens it. */
const MoveButton = ({ move, onMove }: { readonly move: CardMove; readonly onMove: () => void }) => (
  <Guarded allowed={move}>
    {control => (
      <button type="button" className={isRefused(move) ? 'move refused' : 'move'} onClick={onMove} {...control}>
        <span className="row">
          <StatusSign status={move.to} />
          <span className="grow">{messages.board.statuses[move.to]}</span>
          {move.state === 'asks' && <span className="move-asks">{messages.board.asksFor}</span>}
          {isRefused(move) && <Icon name="lock" size={14} />}
        </span>
        {isRefused(move) && noteOf(move) !== undefined && <span className="menu-note clamp">{noteOf(move)}</span>}
      </button>
    )}
  </Guarded>
)

/** The gates that a flag or setting skips for all moves. */
function Skipped({ moves }: { readonly moves: readonly CardMove[] }) {
  const gates = new Set(
    moves.flatMap(({ gates }) => gates.filter(({ state }) => state === 'skipped').map(({ gate }) => gate)),
  )
  if (gates.size === 0) return null
  return <p className="move-skipped">{texts.skippedAll([...gates].map(gate => messages.planning.gates[gate]))}</p>
}
