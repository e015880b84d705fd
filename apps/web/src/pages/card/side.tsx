import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { addressOfSpec } from '../../address.ts'
import { Failure } from '../../components/refusal.tsx'
import { PrioritySign, StatusSign } from '../../components/status.tsx'
import { clockOf, dayOf, Time } from '../../components/time.tsx'
import { type BoardListItem, useNameOf, useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type Card, cardPriorities, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { cardMoves } from '../../data/moves.ts'
import { useMe } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import { noteOf } from '../../moves/move-menu.tsx'
import { ValidateDialog } from './validate-dialog.tsx'

interface SideProps {
  readonly board: BoardListItem
  readonly card: Card
}

const texts = messages.card

/** The properties of a card, and what may be done with it. */
export const Side = ({ board, card }: SideProps) => (
  <aside className="card-side" aria-label={texts.side}>
    <Moves card={card} />
    <Properties board={board} card={card} />
  </aside>
)

/** Where the card may go, and why not elsewhere; validation, where it is time for it. */
function Moves({ card }: { readonly card: Card }) {
  const { data } = useQuery(cardMoves(card.id))
  const move = useMoveCard()
  const [isValidating, setValidating] = useState(false)
  const validation = data?.operations.find(({ operation }) => operation === 'submit_task_validation')
  return (
    <section className="stack moves" aria-label={texts.moves}>
      {card.status === 'validation' && (
        <button type="button" className="button primary" onClick={() => setValidating(true)}>
          {texts.validate}
        </button>
      )}
      {card.status === 'validation' && validation?.state === 'blocked' && (
        <p className="muted">{validation.blockers[0]?.message}</p>
      )}
      <ul className="plain">
        {data?.moves.map(allowed => (
          <li key={allowed.to}>
            <button
              type="button"
              className={allowed.state === 'open' || allowed.state === 'asks' ? 'move' : 'move refused'}
              onClick={() => void move(card, allowed.to)}
            >
              <span className="row">
                <StatusSign status={allowed.to} />
                {messages.board.statuses[allowed.to]}
              </span>
              {noteOf(allowed) !== undefined && <span className="menu-note clamp">{noteOf(allowed)}</span>}
            </button>
          </li>
        ))}
      </ul>
      {isValidating && <ValidateDialog card={card} onClose={() => setValidating(false)} />}
    </section>
  )
}

function Properties({ board, card }: SideProps) {
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  const { data: names } = useNames(board.id)
  const { data: specs } = useSpecs(board.id)
  const { data: sprints } = useSprints(board.id)
  const changing = useMutation({
    mutationFn: (change: Omit<Parameters<typeof client.updateCard>[0], 'card_id'>) =>
      client.updateCard({ card_id: card.id, ...change }),
    onSuccess: () => refreshCard(queries, card),
  })
  const spec = specs?.find(({ id }) => id === card.spec_id)
  const sprint = sprints?.find(({ id }) => id === card.sprint_id)
  const assignees = new Map(names)
  if (card.assignee_id !== null && !assignees.has(card.assignee_id)) assignees.set(card.assignee_id, card.assignee_id)
  return (
    <dl className="properties">
      <Property label={texts.priority}>
        <span className="row">
          <PrioritySign priority={card.priority} />
          <select
            className="input"
            aria-label={texts.priority}
            value={card.priority}
            onChange={event => {
              const priority = cardPriorities.find(candidate => candidate === event.target.value)
              if (priority !== undefined) changing.mutate({ priority })
            }}
          >
            {cardPriorities.map(priority => (
              <option key={priority} value={priority}>
                {messages.board.priorities[priority]}
              </option>
            ))}
          </select>
        </span>
      </Property>
      <Property label={texts.assignee}>
        <select
          className="input"
          aria-label={texts.assignee}
          value={card.assignee_id ?? ''}
          onChange={event => changing.mutate({ assignee_id: event.target.value === '' ? null : event.target.value })}
        >
          <option value="">{texts.nobody}</option>
          {[...assignees].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Property>
      <Property label={texts.claim}>
        <Claim card={card} />
      </Property>
      <Property label={texts.type}>{messages.board.types[card.card_type]}</Property>
      {card.severity !== null && <Property label={texts.bug.severity}>{card.severity}</Property>}
      <Property label={texts.spec}>
        {spec === undefined ? texts.none : <Link href={addressOfSpec(board.key, spec.ref)}>{spec.ref}</Link>}{' '}
        {spec?.title}
      </Property>
      <Property label={texts.sprint}>{sprint === undefined ? texts.none : `${sprint.ref} ${sprint.title}`}</Property>
      <Property label={texts.due}>
        <input
          className="input"
          type="date"
          aria-label={texts.due}
          value={card.due_date?.slice(0, 10) ?? ''}
          onChange={event => changing.mutate({ due_date: event.target.value === '' ? null : event.target.value })}
        />
      </Property>
      <Property label={texts.labels}>
        <span className="row wrap">
          {(card.labels ?? []).map(label => (
            <span key={label} className="badge truncate">
              {label}
            </span>
          ))}
          {(card.labels ?? []).length === 0 && texts.none}
        </span>
      </Property>
      <Property label={texts.created}>
        {nameOf(card.created_by)}, {dayOf(card.created_at)}
      </Property>
      <Property label={texts.updated}>
        <Time at={card.updated_at} />
      </Property>
      <Failure error={changing.error} />
    </dl>
  )
}

/** Who works on the card; a way to claim it, or to let go of one's own claim. */
function Claim({ card }: { readonly card: Card }) {
  const queries = useQueryClient()
  const me = useMe()
  const isMine = card.claim?.agent_id === me.agent_id
  const claiming = useMutation({
    mutationFn: async () => {
      await (isMine ? client.releaseClaim({ card_id: card.id }) : client.claimCard({ card_id: card.id }))
      await refreshCard(queries, card)
    },
  })
  return (
    <span className="row wrap">
      {card.claim === null ? texts.nobody : texts.claimedBy(card.claim.agent_name, clockOf(card.claim.expires_at))}
      {(card.claim === null || isMine) && (
        <button type="button" className="button" onClick={() => claiming.mutate()} disabled={claiming.isPending}>
          {isMine ? texts.release : texts.claimIt}
        </button>
      )}
      <Failure error={claiming.error} />
    </span>
  )
}

const Property = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
