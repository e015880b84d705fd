import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Linked } from '../../components/linked.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { opening, part } from '../../components/part.tsx'
import { Avatar } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { clockOf, exactTime, relativeTime, useNow } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { useChoosable } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import type { InboxItem } from '../../data/inbox.ts'
import { keys } from '../../data/keys.ts'
import type { Worker } from '../../data/workers.ts'
import { messages } from '../../messages/messages.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import type { StandingWorker, WorkerCondition } from './standing.ts'

const Picker = opening(() => import('../../components/picker.tsx'))
const InboxEntry = part(async () => ({ default: (await import('../inbox/entry.tsx')).InboxEntry }))

const texts = messages.now

type HeldCard = Worker['cards'][number]

interface WorkerRowProps extends StandingWorker {
  readonly isOfMany: boolean
}

const pulses: Readonly<Record<WorkerCondition, string>> = {
  silent: 'pulse silent',
  asks: 'pulse idle',
  refused: 'pulse silent',
  working: 'pulse',
  waiting: 'pulse idle',
  idle: 'pulse idle',
  ended: 'pulse idle',
}

const looks: Readonly<Partial<Record<WorkerCondition, string>>> = {
  silent: 'worker silent',
  refused: 'worker silent',
  asks: 'worker asks',
}

/** A worker: its claims, when it was last seen, and what to do if it is stuck. */
export function WorkerRow({ board, worker, standing, question, isOfMany }: WorkerRowProps) {
  const now = useNow()
  const { agent_name, cards, last_seen_at, refusals } = worker
  const facts = [worker.client, worker.model, worker.branch ?? worker.worktree].filter(fact => fact !== null)
  const isReviewing = cards.length > 0 && cards.every(({ stage }) => stage === 'validation')
  const attempt = Math.max(0, ...cards.map(card => card.attempt))
  return (
    <article className={looks[standing] ?? 'worker'} aria-label={agent_name} tabIndex={-1}>
      <Avatar name={agent_name} isLarge isLive={standing === 'working'} />
      <div className="worker-who">
        <p className="name truncate" dir="auto">
          {agent_name}
        </p>
        <p className="worker-key row">
          <span className={pulses[standing]} />
          {standing === 'working' && isReviewing ? texts.standings.reviewing : texts.standings[standing]}
        </p>
        {(facts.length > 0 || isOfMany) && (
          <p className="worker-key truncate">{[...(isOfMany ? [board.name] : []), ...facts].join(' · ')}</p>
        )}
      </div>
      <div className="worker-cards">
        {cards.length === 0 && <p className="worker-key">{texts.noCard}</p>}
        {cards.map(card => (
          <p key={card.ref} className="truncate">
            <span className="ref">{card.ref}</span>{' '}
            <Link href={addressOfCard(board.key, card.ref)} dir="auto">
              {card.title}
            </Link>
            <span className="worker-key worker-since" title={exactTime(card.since)}>
              {card.stage === 'validation' ? texts.reviews(clockOf(card.since)) : texts.holds(clockOf(card.since))}
            </span>
          </p>
        ))}
      </div>
      <Fact name={texts.sign} isBad={standing === 'silent'}>
        {last_seen_at === null ? texts.never : relativeTime(last_seen_at, now)}
      </Fact>
      <Fact name={texts.attempt}>{attempt > 0 ? attempt : '–'}</Fact>
      <Fact name={texts.refusals} isBad={standing === 'refused'}>
        {refusals?.last_hour ?? '–'}
      </Fact>
      <Actions board={board} worker={worker} standing={standing} question={question} />
    </article>
  )
}

interface FactProps {
  readonly name: string
  readonly isBad?: boolean
  readonly children: ReactNode
}

const Fact = ({ name, isBad = false, children }: FactProps) => (
  <div className="worker-fact">
    <p className="worker-key">{name}</p>
    <p className={isBad ? 'numbers bad' : 'numbers'}>{children}</p>
  </div>
)

type ActionsProps = Omit<WorkerRowProps, 'group' | 'isOfMany'>

/** Actions for a worker and, if it is stuck, the reason. */
function Actions({ board, worker, standing, question }: ActionsProps) {
  const { agent_name, cards } = worker
  const [menu, setMenu] = useState<HTMLElement>()
  const [giving, setGiving] = useState<{ readonly card: HeldCard; readonly anchor: HTMLElement }>()
  const [isAnswering, setAnswering] = useState(false)
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const { data: names } = useChoosable(board.id)
  const refresh = () => queries.invalidateQueries({ queryKey: keys.list(board.id, 'workers') })
  const freeing = useMutation({
    mutationFn: async ({ card, to }: { readonly card: HeldCard; readonly to?: string }) => {
      await client.releaseClaim({ card_id: card.ref })
      if (to !== undefined) await client.updateCard({ card_id: card.ref, assignee_id: to })
    },
    onSuccess: (_, { card, to }) => {
      toast(to === undefined ? texts.givenBack(card.ref) : texts.given(card.ref, names?.get(to) ?? to))
    },
    onSettled: refresh,
  })
  const [first] = cards
  return (
    <>
      {cards.length > 0 && (
        <span className="worker-menu">
          <IconButton
            icon="more"
            label={texts.more(agent_name)}
            title={texts.more(agent_name)}
            aria-haspopup="menu"
            onClick={event => setMenu(event.currentTarget)}
          />
        </span>
      )}
      {first !== undefined && (standing === 'silent' || standing === 'refused') && (
        <div className="worker-reason">
          <span className="grow">
            {standing === 'silent' ? texts.ends(clockOf(first.until), first.ref) : <Refusals worker={worker} />}
          </span>
          <Button
            needs={['BOARDS_UPDATE']}
            disabled={freeing.isPending}
            onClick={() => freeing.mutate({ card: first })}
          >
            {texts.giveBack}
          </Button>
          <Button
            needs={['BOARDS_UPDATE', 'CARDS_ASSIGN']}
            aria-haspopup="dialog"
            disabled={freeing.isPending}
            onClick={event => setGiving({ card: first, anchor: event.currentTarget })}
          >
            {texts.giveTo}
          </Button>
        </div>
      )}
      {standing === 'refused' && first === undefined && (
        <div className="worker-reason">
          <Refusals worker={worker} />
        </div>
      )}
      {question !== undefined && standing === 'asks' && (
        <div className="worker-reason">
          <span className="warn row">
            <Icon name="question" />
          </span>
          <bdi className="grow worker-question">
            <Linked text={questionOf(question)} />
          </bdi>
          <button type="button" className="button primary" onClick={() => setAnswering(true)}>
            {texts.answer}
          </button>
        </div>
      )}
      <Failure error={freeing.error} />
      {menu !== undefined && (
        <Menu label={texts.more(agent_name)} anchor={menu} onClose={() => setMenu(undefined)}>
          {cards.map(card => [
            <MenuItem key={`open ${card.ref}`} onSelect={() => navigate(addressOfCard(board.key, card.ref))}>
              {texts.open(card.ref)}
            </MenuItem>,
            <MenuItem
              key={`back ${card.ref}`}
              needs={['BOARDS_UPDATE']}
              onSelect={() => {
                setMenu(undefined)
                freeing.mutate({ card })
              }}
            >
              {texts.giveBackOf(card.ref)}
            </MenuItem>,
            <MenuItem
              key={`give ${card.ref}`}
              needs={['BOARDS_UPDATE', 'CARDS_ASSIGN']}
              onSelect={() => {
                setGiving({ card, anchor: menu })
                setMenu(undefined)
              }}
            >
              {texts.giveToOf(card.ref)}
            </MenuItem>,
          ])}
        </Menu>
      )}
      {giving !== undefined && (
        <Picker
          label={texts.giveToOf(giving.card.ref)}
          anchor={giving.anchor}
          options={[...(names ?? [])].map(([value, label]) => ({ value, label, sign: <Avatar name={label} /> }))}
          chosen={[worker.agent_id]}
          onChoose={to => {
            setGiving(undefined)
            freeing.mutate({ card: giving.card, to })
          }}
          onClose={() => setGiving(undefined)}
        />
      )}
      {isAnswering && question !== undefined && (
        <Dialog title={texts.answer} kind="wide" onClose={() => setAnswering(false)}>
          <MoveProvider>
            <InboxEntry item={question} />
          </MoveProvider>
        </Dialog>
      )}
    </>
  )
}

/** The text of the question, or the title of its record. */
function questionOf({ data, record }: InboxItem): string {
  const words = data?.question ?? data?.content
  return typeof words === 'string' ? words : record.title
}

/** Maximum number of reasons that are named. */
const maxReasons = 2

/** Why calls of a worker were refused. */
function Refusals({ worker: { refusals } }: { readonly worker: Worker }) {
  if (refusals === null) return null
  const { reason, isKnown } = messages.board.bulk
  const reasons = Object.keys(refusals.codes).filter(isKnown).slice(0, maxReasons).map(reason)
  return (
    <span>
      {texts.refusedTimes(refusals.last_hour)}
      {reasons.length > 0 && <span className="muted">, {texts.because([...new Set(reasons)].join('; '))}</span>}
    </span>
  )
}
