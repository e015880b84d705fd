import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfRef } from '../address.ts'
import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { Input } from '../components/input.tsx'
import { RefusalText } from '../components/refusal.tsx'
import { Submit } from '../components/submit.tsx'
import { number } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'
import {
  type AskingCard,
  type BulkMove,
  joined,
  moveWithReport,
  type Outcome,
  type RefusedCard,
  refreshAll,
} from './bulk.ts'
import type { MovedCard } from './move-context.ts'
import { ReportFields, reportIn } from './report-form.tsx'

interface BulkDialogProps {
  readonly outcome: Outcome
  /** The move that was made; undefined for another change. */
  readonly move: BulkMove | undefined
  readonly onClose: (done?: readonly MovedCard[]) => void
}

const texts = messages.board.bulk

/**
 * The result of an action on several cards: how many were changed, one form for those that need a report, and why
 * others were refused.
 */
export default function BulkDialog({ outcome: first, move, onClose }: BulkDialogProps) {
  const [outcome, setOutcome] = useState(first)
  const { done, asking, refused } = outcome
  const all = done.length + asking.length + refused.length
  const close = () => onClose(done)
  return (
    <Dialog title={texts.notAll(done.length, all)} onClose={close}>
      <div className="stack scrolls">
        {move !== undefined && asking.length > 0 && (
          <Reports
            asking={asking}
            move={move}
            onReported={reported => setOutcome(joined({ ...outcome, asking: [] }, reported))}
          />
        )}
        <Reasons refused={refused} />
      </div>
      {asking.length === 0 && (
        <div className="row">
          <button type="button" className="button primary" onClick={close}>
            {messages.shell.close}
          </button>
        </div>
      )}
    </Dialog>
  )
}

interface ReportsProps {
  readonly asking: readonly AskingCard[]
  readonly move: BulkMove
  readonly onReported: (outcome: Outcome) => void
}

/** One report for all cards that need one, or one for each. */
function Reports({ asking, move, onReported }: ReportsProps) {
  const queries = useQueryClient()
  const [isForEach, setForEach] = useState(false)
  const asks = [...new Set(asking.flatMap(({ asks }) => asks))]
  const sending = useMutation({
    async mutationFn(fields: FormData) {
      const reportOf = ({ card, asks }: AskingCard) => reportIn(fields, asks, isForEach ? `${card.id} ` : '')
      const outcome = await moveWithReport(queries, asking, move, reportOf)
      await refreshAll(
        queries,
        asking.map(({ card }) => card),
      )
      onReported(outcome)
    },
  })
  return (
    <Form draft={`report:${asking.map(({ card }) => card.id).join()}`} onSend={sending.mutateAsync}>
      <p>{texts.ask(asking.length, move.to)}</p>
      <label className="row">
        <Input type="checkbox" checked={isForEach} onChange={event => setForEach(event.target.checked)} />
        {texts.forEach}
      </label>
      {!isForEach && (
        <>
          <p className="muted">{asking.map(({ card }) => card.ref).join(', ')}</p>
          <ReportFields asks={asks} />
        </>
      )}
      {isForEach &&
        asking.map(({ card, asks }) => (
          <fieldset key={card.id} className="choices stack">
            <legend>
              {card.ref} {card.title}
            </legend>
            <ReportFields asks={asks} prefix={`${card.id} `} />
          </fieldset>
        ))}
      <Submit sending={sending}>{texts.report(asking.length)}</Submit>
    </Form>
  )
}

/** Why cards were refused: grouped by kind of reason, each with the text and next actions of its cards. */
const Reasons = ({ refused }: { readonly refused: readonly RefusedCard[] }) =>
  [...Map.groupBy(refused, ({ refusal }) => refusal.code)].map(([code, cards]) => (
    <section key={code} className="stack" aria-label={texts.reason(code)}>
      <h3>
        {texts.reason(code)} <span className="muted numbers">{number(cards.length)}</span>
      </h3>
      <ul className="plain stack">
        {cards.map(({ card, refusal }) => (
          <li key={card.id} className="refusal">
            <p>
              <Link href={addressOfRef(card.ref)}>{card.ref}</Link> {card.title}
            </p>
            <RefusalText refusal={refusal} />
          </li>
        ))}
      </ul>
    </section>
  ))
