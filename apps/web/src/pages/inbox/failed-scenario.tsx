import { keyOfRef } from '../../address.ts'
import { Icon } from '../../components/icon.tsx'
import { Time } from '../../components/time.tsx'
import type { InboxItem } from '../../data/inbox.ts'
import { usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { FailingCases } from '../card/failing-cases.tsx'

const texts = messages.card.proof

type Tier = keyof typeof texts.failed

const textIn = (data: InboxItem['data'], name: string): string | undefined => {
  const value = data?.[name]
  return typeof value === 'string' ? value : undefined
}

const isTier = (value: string | undefined): value is Tier => value !== undefined && Object.hasOwn(texts.failed, value)

/** Which scenario of a spec fails, who says so, and the tests that failed (evidence 9). */
export function FailedScenario({ item: { data, record, since } }: { readonly item: InboxItem }) {
  const { data: spec } = usePlan('spec', record.id)
  const [id, title, tier] = ['scenario_id', 'title', 'tier'].map(name => textIn(data, name))
  const [commit, report] = [textIn(data, 'commit'), textIn(data, 'report_id')]
  const scenario = spec?.record.test_scenarios?.find(each => each.id === id)
  const ref = record.ref ?? ''
  return (
    <>
      <p className="row wrap">
        <Icon name="disproven" size={14} />
        <span className="ref">{id}</span>
        <strong className="grow scenario-title" dir="auto">
          {title}
        </strong>
        <span className="line-fact bad">
          {isTier(tier) && <span>{texts.failed[tier]}</span>}
          {commit !== undefined && <code>{commit.slice(0, 7)}</code>}
          <Time at={since} />
        </span>
      </p>
      {report !== undefined && spec !== undefined && (
        <FailingCases
          reportId={report}
          item={{ kind: 'scenario', ref: `${ref}/${id}` }}
          tests={scenario?.tests ?? []}
          boardKey={keyOfRef(ref)}
        />
      )}
    </>
  )
}
