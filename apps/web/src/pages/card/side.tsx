import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { addressOfSpec, addressOn } from '../../address.ts'
import { Assignee } from '../../components/assignee.tsx'
import { Button } from '../../components/button.tsx'
import { DateInput } from '../../components/date-input.tsx'
import { Folded } from '../../components/folded.tsx'
import { Icon } from '../../components/icon.tsx'
import { LabelsField } from '../../components/labels-field.tsx'
import { Avatar } from '../../components/person.tsx'
import { Property } from '../../components/property.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import { PrioritySign } from '../../components/status.tsx'
import { clockOf, dayOf, Time } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { type BoardListItem, useNameOf, useSpecs, useSprints } from '../../data/boards.ts'
import { type Card, cardPriorities, refreshCard, useCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { knownLabels } from '../../data/labels.ts'
import { cardMoves } from '../../data/moves.ts'
import { allowingAttempts, changing as changingField } from '../../data/needs.ts'
import { useMe } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { SaveTemplate } from '../../templates/save-template.tsx'
import { DeleteCard } from './delete-card.tsx'
import { Moves } from './moves.tsx'
import { OverlapRefusal } from './overlap-refusal.tsx'
import { PromoteCard } from './promote-card.tsx'
import { ReportBug } from './report-bug.tsx'
import { ScopeField } from './scope-field.tsx'

interface SideProps {
  readonly board: BoardListItem
  readonly card: Card
}

const texts = messages.card

/** The status and properties of a card, and further actions. */
export const Side = ({ board, card }: SideProps) => (
  <aside className="card-side" aria-label={texts.side}>
    <Moves card={card} />
    <Folded label={texts.properties}>
      <Properties key={card.id} board={board} card={card} />
      <div className="card-rare">
        {card.card_type !== 'bug' && <ReportBug board={board} card={card} />}
        <PromoteCard board={board} card={card} />
        <SaveTemplate board={board} type="card" record={card} />
        <DeleteCard board={board} card={card} />
      </div>
    </Folded>
  </aside>
)

/** A change of a field with its undo. */
interface Edit {
  readonly field: string
  readonly next: Change
  readonly back: Change
}

type Change = Omit<Parameters<typeof client.updateCard>[0], 'card_id'>

function Properties({ board, card }: SideProps) {
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  const { data: specs } = useSpecs(board.id)
  const { data: sprints } = useSprints(board.id)
  const update = async (change: Change) => {
    await client.updateCard({ card_id: card.id, ...change })
    await refreshCard(queries, card)
  }
  /** Changes the card, with Undo. */
  const changing = useMutation({
    // One after the other: of two changes to a field the later one wins, and its Undo is offered.
    scope: { id: card.id },
    mutationFn: ({ next }: Edit) => update(next),
    onSuccess: (_, { field, back }) => toast(texts.changed(field, card.ref), () => update(back)),
  })
  const needs = (field: string) => changingField('card', card.status, field)
  const change = (field: string, next: Change, back: Change) => changing.mutate({ field, next, back })
  const spec = specs?.find(({ id }) => id === card.spec_id)
  const sprintsOfSpec = (sprints ?? []).filter(({ spec_id }) => spec_id === card.spec_id)
  const { data: cards } = useCards(board.id)
  const [isWhole, setWhole] = useState(false)
  const hasSprint = card.sprint_id !== null || (isWhole && sprintsOfSpec.length > 0)
  const hasDue = card.due_date !== null || isWhole
  const hasPaths = card.paths.length > 0 || isWhole
  const lacking = [
    ...(hasDue ? [] : [texts.more.due]),
    ...(hasSprint || sprintsOfSpec.length === 0 ? [] : [texts.more.sprint]),
    ...(hasPaths ? [] : [texts.more.paths]),
  ]
  const boardLabels = useMemo(() => knownLabels(cards ?? []), [cards])
  return (
    <>
      <dl className="properties">
        <Property label={texts.claim} keyName="claim">
          <Claim card={card} />
        </Property>
        {card.attempts.used > 0 && (
          <Property label={texts.attempts}>
            <Attempts card={card} />
          </Property>
        )}
        <Property label={texts.assignee} keyName="a">
          <Assignee
            boardId={board.id}
            assigneeId={card.assignee_id}
            needs={needs('assignee_id')}
            onChange={assignee_id => change(texts.assignee, { assignee_id }, { assignee_id: card.assignee_id })}
          />
        </Property>
        <Property label={texts.priority} keyName="p">
          <PrioritySign priority={card.priority} />
          <Select
            label={texts.priority}
            value={card.priority}
            options={cardPriorities.map(value => ({ value, label: messages.board.priorities[value] }))}
            needs={needs('priority')}
            onChange={priority => {
              if (priority !== '') change(texts.priority, { priority }, { priority: card.priority })
            }}
          />
        </Property>
        <Property label={texts.type}>{messages.board.types[card.card_type]}</Property>
        {card.severity !== null && (
          <Property label={texts.bug.severity}>{texts.bug.severities[card.severity]}</Property>
        )}
        <Property label={texts.spec}>
          {spec === undefined ? (
            texts.none
          ) : (
            <Link href={addressOfSpec(board.key, spec.ref)} title={spec.ref} dir="auto">
              {spec.title}
            </Link>
          )}
        </Property>
        {hasSprint && (
          <Property label={texts.sprint}>
            <Select
              label={texts.sprint}
              value={card.sprint_id ?? ''}
              none={texts.none}
              options={sprintsOfSpec.map(({ id, ref, title }) => ({ value: id, label: `${ref} ${title}` }))}
              needs={needs('sprint_id')}
              onChange={id => change(texts.sprint, { sprint_id: id === '' ? null : id }, { sprint_id: card.sprint_id })}
            />
          </Property>
        )}
        {card.origin_task_id !== null && (
          <Property label={texts.bug.origin}>
            <Link href={addressOn(board.key, 'card', card.origin_task_id)}>{texts.bug.openOrigin}</Link>
          </Property>
        )}
        {hasDue && (
          <Property label={texts.due} keyName="d">
            <DateInput
              needs={needs('due_date')}
              label={texts.due}
              value={card.due_date?.slice(0, 10) ?? ''}
              onChange={day => change(texts.due, { due_date: day === '' ? null : day }, { due_date: card.due_date })}
            />
          </Property>
        )}
        <Property label={texts.labels} keyName="l">
          <LabelsField
            labels={card.labels ?? []}
            suggestions={boardLabels}
            needs={needs('labels')}
            onAdd={label => change(texts.labels, { add_labels: [label] }, { remove_labels: [label] })}
            onRemove={label => change(texts.labels, { remove_labels: [label] }, { add_labels: [label] })}
          />
        </Property>
        {hasPaths && (
          <Property label={texts.paths}>
            <ScopeField
              board={board}
              card={card}
              needs={needs('paths')}
              onAdd={path => change(texts.paths, { add_paths: [path] }, { remove_paths: [path] })}
              onRemove={path => change(texts.paths, { remove_paths: [path] }, { add_paths: [path] })}
            />
          </Property>
        )}
        <Property label={texts.created}>
          <span>
            <bdi>{nameOf(card.created_by)}</bdi>, {dayOf(card.created_at)}
          </span>
        </Property>
        <Property label={texts.updated}>
          <Time at={card.updated_at} />
        </Property>
      </dl>
      <OverlapRefusal
        error={changing.error}
        disabled={changing.isPending}
        onAllow={() => {
          const edit = changing.variables
          if (edit !== undefined) changing.mutate({ ...edit, next: { ...edit.next, allow_overlap: true } })
        }}
      />
      {lacking.length > 0 && (
        <button type="button" className="button quiet add-one" data-key="more" onClick={() => setWhole(true)}>
          <Icon name="plus" size={14} /> {texts.addMore(lacking)}
        </button>
      )}
    </>
  )
}

/** How often work on the card has failed; if no attempt is left, a button to allow one more (crew 4.6). */
function Attempts({ card }: { readonly card: Card }) {
  const queries = useQueryClient()
  const { used, limit } = card.attempts
  const allowing = useMutation({
    mutationFn: async () => {
      await client.allowAttempts({ card_id: card.id, more: 1 })
      await refreshCard(queries, card)
    },
  })
  return (
    <span className="row wrap">
      {texts.attemptsUsed(used, limit)}
      {limit > 0 && used >= limit && (
        <Button
          needs={allowingAttempts}
          className="button quiet"
          disabled={allowing.isPending}
          onClick={() => allowing.mutate()}
        >
          {texts.allowAttempt}
        </Button>
      )}
      <Failure error={allowing.error} />
    </span>
  )
}

/** Who works on the card; buttons to claim it, or to release one's own claim. */
function Claim({ card }: { readonly card: Card }) {
  const queries = useQueryClient()
  const me = useMe()
  const isMine = card.claim?.agent_id === me.agent_id
  const { data: may } = useQuery(cardMoves(card.id))
  const claim = may?.operations.find(({ operation }) => operation === 'claim_card')
  const claiming = useMutation({
    mutationFn: async (allowed: { readonly allow_overlap?: true }) => {
      await (isMine ? client.releaseClaim({ card_id: card.id }) : client.claimCard({ card_id: card.id, ...allowed }))
      await refreshCard(queries, card)
    },
  })
  return (
    <span className="row wrap holder">
      {card.claim === null ? (
        <span className="muted">{texts.nobody}</span>
      ) : (
        <span className="row wrap" title={texts.claimedBy(card.claim.agent_name, clockOf(card.claim.expires_at))}>
          <Avatar name={card.claim.agent_name} isLive />
          <bdi className="truncate">{card.claim.agent_name}</bdi>
          <span className="muted numbers">{texts.until(clockOf(card.claim.expires_at))}</span>
        </span>
      )}
      {(card.claim === null || isMine) && (
        <Button
          className="button quiet"
          needs={['CARDS_CLAIM']}
          allowed={claim}
          onClick={() => claiming.mutate({})}
          disabled={claiming.isPending}
        >
          {isMine ? texts.release : texts.claimIt}
        </Button>
      )}
      <OverlapRefusal
        error={claiming.error}
        disabled={claiming.isPending}
        onAllow={() => claiming.mutate({ allow_overlap: true })}
      />
    </span>
  )
}
