import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfReport } from '../../address.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import type { ProofItem } from './proof-results.ts'

const texts = messages.card.proof

/** The number of failing tests shown in place; the report has the others. */
const maxShown = 5

interface FailingCasesProps {
  readonly reportId: string
  readonly item: Pick<ProofItem, 'kind' | 'ref'>
  /** The patterns of the scenario; empty for a card. */
  readonly tests: readonly string[]
  readonly boardKey: string
}

/** The failing tests of a scenario or card in the report that says so, with their messages (evidence 13). */
export function FailingCases({ reportId, item, tests, boardKey }: FailingCasesProps) {
  const { data } = useQuery({
    queryKey: keys.part('test_report', reportId, 'failing', { ref: item.ref, tests }),
    queryFn: () => failingCases(reportId, item, tests),
  })
  if (data === undefined || data.length === 0) return null
  return (
    <div className="stack">
      <ul className="plain stack" aria-label={texts.failing}>
        {data.map(({ address, message }) => (
          <li key={address}>
            <code className="case-name" dir="auto">
              {address}
            </code>
            {message !== null && <pre className="theirs">{message}</pre>}
          </li>
        ))}
      </ul>
      <Link href={addressOfReport(boardKey, reportId)}>{texts.toReport}</Link>
    </div>
  )
}

/** The tests that a scenario's patterns match, and those that name the scenario themselves; all tests for a card. */
async function failingCases(report_id: string, { kind, ref }: FailingCasesProps['item'], tests: readonly string[]) {
  const failing = async (query: object) =>
    (await client.listTestCases({ report_id, status: 'failed', limit: maxShown, ...query })).items
  if (kind === 'card') return failing({})
  const named = await Promise.all(tests.slice(0, maxShown).map(pattern => failing({ pattern })))
  const naming = (await failing({ q: ref })).filter(({ refs }) => refs.includes(ref))
  const all = [...named.flat(), ...naming]
  return all.filter((each, at) => all.findIndex(({ address }) => address === each.address) === at).slice(0, maxShown)
}
