import type { Spec } from '../data/planning.ts'
import { messages } from '../messages/messages.ts'
import { ProofMark } from './proof-mark.tsx'
import { Time } from './time.tsx'

const texts = messages.board.proof

type Proof = NonNullable<NonNullable<Spec['test_scenarios']>[number]['proof']>

/** The source, commit and time of a scenario's proof (evidence 13). */
export const ScenarioProof = ({ proof }: { readonly proof: Proof }) => {
  const { tier, status, commit, at } = proof
  return (
    <span className="row scenario-proof">
      <ProofMark proof={proof} />
      {status === 'failing' ? texts.statuses.failing : tier === null ? texts.statuses[status] : texts.tiers[tier]}
      {commit !== null && <code>{commit.slice(0, 7)}</code>}
      {at !== null && <Time at={at} />}
    </span>
  )
}
