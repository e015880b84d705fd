import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfCard, addressOfSpec } from '../../address.ts'
import { Failure } from '../../components/refusal.tsx'
import { Section, SectionHeading } from '../../components/section.tsx'
import { StatusSign } from '../../components/status.tsx'
import { client } from '../../data/client.ts'
import { refreshPlan, type Spec, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { type CoverageRow, type Covered, criteriaOf, requirementsOf, rowsOf } from './rows.ts'
import '../card/card.css'
import './coverage.css'

const texts = messages.coverage

/** What of a spec is answered for, and by which card; gaps are closed in the matrix. */
export default function CoveragePage({ board, params }: BoardPageProps) {
  const { data, error } = usePlan('spec', params.ref ?? '')
  if (error !== null) return <Failure error={error} />
  if (data === undefined) return <p className="notice">{messages.shell.loading}</p>
  const spec = data.record
  return (
    <SectionHeading value="h2">
      <div className="page card-main coverage">
        <h1>{texts.title(spec.ref)}</h1>
        <p>
          <Link href={addressOfSpec(board.key, spec.ref)}>
            {spec.ref} {spec.title}
          </Link>
        </p>
        <p className="muted">{texts.lead}</p>
        <Sentences title={texts.requirements} sentences={requirementsOf(spec)} />
        <Sentences title={texts.criteria} sentences={criteriaOf(spec)} />
        <Matrix boardKey={board.key} spec={spec} />
      </div>
    </SectionHeading>
  )
}

function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly Covered[] }) {
  if (sentences.length === 0) return null
  return (
    <Section title={title}>
      <Share done={sentences.filter(({ by }) => by.length > 0).length} total={sentences.length} />
      <ol className="coverage-list">
        {sentences.map(({ text, by }) => (
          <li key={text}>
            {text} {by.length === 0 && <span className="badge amber">{texts.gap}</span>}
            {by.map(name => (
              <span key={name} className="badge green truncate">
                {name}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const Share = ({ done, total }: { readonly done: number; readonly total: number }) => (
  <p className="muted numbers">{texts.covered(done, total)}</p>
)

function Matrix({ boardKey, spec }: { readonly boardKey: string; readonly spec: Spec }) {
  const queries = useQueryClient()
  const rows = rowsOf(spec)
  const linking = useMutation({
    mutationFn: async ({ row, cardId }: { readonly row: CoverageRow; readonly cardId: string }) => {
      await toggle(spec.id, row, cardId)
      await refreshPlan(queries, 'spec', spec.id)
    },
  })
  if (rows.length === 0) return <p className="muted">{texts.nothing}</p>
  return (
    <Section title={texts.matrix}>
      <Share done={rows.filter(({ cardIds }) => cardIds.length > 0).length} total={rows.length} />
      {spec.cards.length === 0 && <p className="muted">{texts.noCards}</p>}
      <Failure error={linking.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="matrix" aria-label={texts.matrix} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.item}</th>
              {spec.cards.map(({ id, ref, title, status }) => (
                <th key={id} scope="col" title={title}>
                  <Link className="row" href={addressOfCard(boardKey, ref)}>
                    <StatusSign status={status} /> {ref}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={`${row.type} ${row.id}`} className={row.cardIds.length === 0 ? 'gap' : undefined}>
                <th scope="row">
                  {row.says} {row.cardIds.length === 0 && <span className="badge amber">{texts.gap}</span>}
                </th>
                {spec.cards.map(({ id, ref }) => (
                  <td key={id}>
                    <input
                      type="checkbox"
                      aria-label={texts.link(row.says, ref)}
                      checked={row.cardIds.includes(id)}
                      disabled={linking.isPending}
                      onChange={() => linking.mutate({ row, cardId: id })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  )
}

/** Links a card to what it answers for, or takes the link away. */
function toggle(spec_id: string, { id, type, cardIds }: CoverageRow, card_id: string): Promise<unknown> {
  const isLinked = cardIds.includes(card_id)
  if (type === 'scenario') {
    const names = { spec_id, scenario_id: id, card_id }
    return isLinked ? client.unlinkTaskFromScenario(names) : client.linkTaskToScenario(names)
  }
  const names = { spec_id, item_id: id, card_id, item_type: type }
  return isLinked ? client.unlinkTaskFromItem(names) : client.linkTaskToItem(names)
}
