import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { addressOfReport, keyOfRef } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Linked } from '../../components/linked.tsx'
import { opening } from '../../components/part.tsx'
import { ProofMark } from '../../components/proof-mark.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { useBoards } from '../../data/boards.ts'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { writingIn } from '../../data/needs.ts'
import { type Spec, usePlan } from '../../data/planning.ts'
import { gatesOn, type WaivedGate } from '../../data/waivers.ts'
import { messages } from '../../messages/messages.ts'
import { FailingCases } from './failing-cases.tsx'
import {
  byTier,
  contradicting,
  decidingOf,
  type ProofItem,
  type ProofResult,
  type Proof as Proofs,
} from './proof-results.ts'
import { ProofSign } from './proof-sign.tsx'
import { Evidence, type Scenario, Steps } from './scenarios.tsx'

const texts = messages.card.proof

const ScenarioResultDialog = opening(() => import('../../forms/scenario-result-dialog.tsx'))
const WaiverDialog = opening(() => import('../../forms/waiver-dialog.tsx'))

const proofOf = (card: Card) => ({
  queryKey: keys.part('card', card.id, 'proof'),
  queryFn: () => client.getProof({ entity_type: 'card', entity_id: card.id }),
})

/** The proof of a card, one line for each of its scenarios, with its source and commit (evidence 6). */
export function Proof({ card }: { readonly card: Card }) {
  const { data: proof } = useQuery(proofOf(card))
  const { data: spec } = usePlan('spec', card.test_scenario_ids.length === 0 ? null : card.spec_id)
  const { data: boards } = useBoards()
  const [recorded, setRecorded] = useState<string>()
  if (proof === undefined) return null
  const settings = boards?.find(({ id }) => id === card.board_id)?.settings
  const gates = settings === undefined || card.status === 'done' ? [] : gatesOn(settings, card)
  const items = proof.items.filter(
    ({ kind, results, required_tier }) => kind === 'scenario' || results.length > 0 || required_tier !== 'claimed',
  )
  if (items.length === 0 && proof.waiver === null && gates.length === 0) return null
  return (
    <Section title={texts.title} note={items.length > 0 ? texts.share(passedOf(items), items.length) : undefined}>
      {items.length > 1 && <Whole proof={proof} />}
      {items.length > 0 && (
        <ul className="plain lines">
          {items.map(item => (
            <ItemLine
              key={`${item.kind} ${item.id}`}
              item={item}
              spec={spec?.record}
              boardKey={keyOfRef(card.ref)}
              onRecord={setRecorded}
            />
          ))}
        </ul>
      )}
      <Newer proof={proof} />
      {items.length === 0 && proof.waiver === null && <ToDo card={card} gates={gates} />}
      <Waiver card={card} proof={proof} gates={gates} />
      {recorded !== undefined && card.spec_id !== null && (
        <ScenarioResultDialog specId={card.spec_id} scenarioId={recorded} onClose={() => setRecorded(undefined)} />
      )}
    </Section>
  )
}

/** Shown while the card has no proof: what its gates wait for, and how to provide it. */
const ToDo = ({ card: { ref }, gates }: Pick<WaiverProps, 'card' | 'gates'>) =>
  gates.map(gate => (
    <p key={gate} className="muted">
      {gate === 'proof' ? texts.toDo.proof : texts.toDo[gate](ref)}
    </p>
  ))

const passedOf = (items: readonly ProofItem[]): number =>
  items.filter(item => item.problem === 'none' && decidingOf(item)?.status === 'passed').length

/**
 * The proof of the card as a whole: how far it is proven, by whom, for which commit and when; renders nothing without
 * results.
 */
function Whole({ proof }: { readonly proof: Proofs }) {
  const { status, tier, commit, at, stale } = proof
  if (tier === null) return null
  const says = messages.board.proof
  return (
    <p className="row wrap proof-line">
      <ProofMark proof={proof} />
      <span>
        {says.statuses[status]}, {says.tiers[tier]}
      </span>
      {commit !== null && <code>{commit.slice(0, 7)}</code>}
      {at !== null && <Time at={at} />}
      {stale && <span className="warn">{says.stale}</span>}
    </p>
  )
}

interface ItemLineProps {
  readonly item: ProofItem
  readonly spec: Spec | undefined
  readonly boardKey: string
  readonly onRecord: (scenarioId: string) => void
}

function ItemLine({ item, spec, boardKey, onRecord }: ItemLineProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const scenario = item.kind === 'scenario' ? spec?.test_scenarios?.find(({ id }) => id === item.id) : undefined
  const title = item.kind === 'scenario' ? item.title : texts.unlinked
  const result = decidingOf(item)
  const failedIn = result?.status === 'failed' ? result.report_id : null
  const hasMore = scenario !== undefined || failedIn !== null || tellsMore(item)
  return (
    <li>
      <div className="line">
        <ProofSign item={item} />
        {item.kind === 'scenario' && <span className="ref">{item.id}</span>}
        {!hasMore ? (
          <span className="grow" dir="auto">
            <Linked text={title} />
          </span>
        ) : (
          <button
            type="button"
            className="line-button grow"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            dir="auto"
            onClick={() => setOpen(!isOpen)}
          >
            {title}
          </button>
        )}
        <DecidingResult item={item} scenario={scenario} boardKey={boardKey} />
        {scenario !== undefined && spec !== undefined && (
          <Button
            className="button quiet line-act"
            needs={['SPECS_RECORD_RESULTS', writingIn('spec', spec.status)]}
            aria-label={messages.card.result.recordOf(scenario.title)}
            title={messages.card.result.record}
            onClick={() => onRecord(scenario.id)}
          >
            <Icon name="plus" size={14} />
          </Button>
        )}
      </div>
      {isOpen && hasMore && (
        <div className="line-more stack" id={id}>
          {scenario !== undefined && <Steps scenario={scenario} criteria={spec?.acceptance_criteria ?? []} />}
          {tellsMore(item) && <Results results={item.results} boardKey={boardKey} />}
          {failedIn !== null && (
            <FailingCases reportId={failedIn} item={item} tests={scenario?.tests ?? []} boardKey={boardKey} />
          )}
          {scenario !== undefined && <Evidence scenario={scenario} />}
        </div>
      )}
    </li>
  )
}

interface DecidingResultProps {
  readonly item: ProofItem
  readonly scenario: Scenario | undefined
  readonly boardKey: string
}

/** The source, commit and time of the deciding result, and whether a higher tier contradicts it. */
function DecidingResult({ item, scenario, boardKey }: DecidingResultProps) {
  const result = decidingOf(item)
  const state = scenario === undefined ? undefined : texts.states[scenario.status]
  if (result === undefined) return <span className="line-fact">{state ?? texts.none}</span>
  const isFailed = result.status === 'failed'
  const problem = isFailed ? undefined : (texts.problems as Readonly<Record<string, string>>)[item.problem]
  const other = contradicting(item)
  const marked = scenario?.status === 'passed' || scenario?.status === 'failed' ? scenario.status : undefined
  return (
    <span className={isFailed ? 'line-fact bad' : 'line-fact'}>
      {scenario !== undefined && (
        <span className={isFailed || problem !== undefined ? 'hidden' : 'ok'}>{texts.states[result.status]}</span>
      )}
      <ResultSource result={result} boardKey={boardKey} />
      {problem !== undefined && <span className="warn">{problem}</span>}
      {other !== undefined && <span className="warn">{texts.otherwise[other.tier]}</span>}
      {marked !== undefined && marked !== result.status && <span className="warn">{texts.marked[marked]}</span>}
    </span>
  )
}

interface ResultSourceProps {
  readonly result: ProofResult
  readonly boardKey: string
}

/** The source, commit and time of a result, linked to its report. */
const ResultSource = ({ result: { status, tier, commit, at, report_id, flaky }, boardKey }: ResultSourceProps) => (
  <>
    <span>{status === 'failed' ? texts.failed[tier] : texts.tiers[tier]}</span>
    {commit !== null && <code>{commit.slice(0, 7)}</code>}
    {report_id === null ? (
      <Time at={at} />
    ) : (
      <Link href={addressOfReport(boardKey, report_id)} title={texts.toReport}>
        <Time at={at} />
      </Link>
    )}
    {flaky && <span className="warn">{texts.flaky}</span>}
  </>
)

/** Why a result has less weight than its source usually has. */
const reasonOf = ({ tier_reason }: ProofResult): string | undefined =>
  (texts.lowered as Readonly<Record<string, string>>)[tier_reason]

/** Whether an item has more details than its line shows. */
const tellsMore = ({ results }: ProofItem): boolean =>
  results.length > 1 || results.some(result => reasonOf(result) !== undefined || result.outdated !== null)

/** The newest result of each tier, with why it weighs less or no longer counts (evidence 13). */
const Results = ({ results, boardKey }: { readonly results: readonly ProofResult[]; readonly boardKey: string }) => (
  <ul className="plain proof-results" aria-label={texts.results}>
    {byTier(results).map(result => (
      <li key={result.tier} className="row wrap">
        <span className={result.status === 'failed' ? 'sign bad' : 'sign ok'}>
          <Icon name={result.status === 'failed' ? 'wrong' : 'passed'} size={14} />
        </span>
        <ResultSource result={result} boardKey={boardKey} />
        {reasonOf(result) !== undefined && <span className="muted">{reasonOf(result)}</span>}
        {result.outdated !== null && <span className="warn">{texts.outdated[result.outdated]}</span>}
      </li>
    ))}
  </ul>
)

/** The first commit that the proof does not cover, if the proof is stale (evidence 7). */
function Newer({ proof: { stale, newer } }: { readonly proof: Proofs }) {
  const [commit] = newer
  if (!stale || commit === undefined) return null
  return (
    <p className="muted row">
      <Icon name="clock" size={14} />{' '}
      <span dir="auto">
        <Linked text={texts.newer(commit.title, newer.length - 1)} />
      </span>
    </p>
  )
}

interface WaiverProps {
  readonly card: Card
  readonly proof: Proofs
  /** The gates that the card can be excused from. */
  readonly gates: readonly WaivedGate[]
}

/** The gates from which the card is excused, by whom and why, with controls to excuse it or to revoke that. */
function Waiver({ card, proof: { waiver }, gates }: WaiverProps) {
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const removing = useMutation({
    mutationFn: async () => {
      await client.setCardWaiver({ card_id: card.id, gates: [] })
      await refreshCard(queries, card)
    },
  })
  const isOpen = !card.archived
  return (
    <>
      {waiver !== null && (
        <p className="muted row">
          <Icon name="flag" size={14} />
          <span dir="auto">
            <Linked
              text={texts.waived(
                waiver.gates.map(gate => texts.gates[gate]),
                waiver.by_name,
                waiver.reason,
              )}
            />{' '}
            <Time at={waiver.at} />
          </span>
        </p>
      )}
      <Failure error={removing.error} />
      {isOpen && (gates.length > 0 || waiver !== null) && (
        <div className="row">
          {waiver === null ? (
            <Button className="button quiet" needs={['CARDS_WAIVE']} onClick={() => setAsked(true)}>
              <Icon name="flag" size={14} /> {messages.card.waiver.open}
            </Button>
          ) : (
            <Button
              className="button quiet"
              needs={['CARDS_WAIVE']}
              disabled={removing.isPending}
              onClick={() => removing.mutate()}
            >
              {messages.card.waiver.takeBack}
            </Button>
          )}
        </div>
      )}
      {isAsked && <WaiverDialog card={card} gates={gates} onClose={() => setAsked(false)} />}
    </>
  )
}
