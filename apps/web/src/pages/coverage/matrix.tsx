import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import { Linked } from '../../components/linked.tsx'
import { Failure } from '../../components/refusal.tsx'
import { ScenarioProof } from '../../components/scenario-proof.tsx'
import { Section } from '../../components/section.tsx'
import { StatusSign } from '../../components/status.tsx'
import { useStrip } from '../../components/strip.ts'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { countsTowards, type LinkedType } from '../../data/coverage.ts'
import { creatingCard, writingIn } from '../../data/needs.ts'
import { refreshPlan, type Spec } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { AddCardDialog } from '../planning/add-card-dialog.tsx'
import { type CoverageRow, columnsOf, rowsOf } from './rows.ts'
import { Share } from './share.tsx'

const texts = messages.coverage

/** The items of a spec that need cards: a cell links a card, or removes the link. */
export function Matrix({ board, spec }: { readonly board: BoardListItem; readonly spec: Spec }) {
  const rows = rowsOf(spec, board.settings)
  const groups = Map.groupBy(rows, ({ type }) => type)
  if (rows.length === 0) return <p className="muted">{texts.nothing}</p>
  return (
    <>
      {spec.cards.length === 0 && <p className="muted">{texts.noCards}</p>}
      {[...groups].map(([type, ofType]) => (
        <Group key={type} board={board} spec={spec} type={type} rows={ofType} columns={columnsOf(spec, rows)} />
      ))}
    </>
  )
}

interface GroupProps {
  readonly board: BoardListItem
  readonly spec: Spec
  readonly type: LinkedType
  readonly rows: readonly CoverageRow[]
  readonly columns: Spec['cards']
}

/** The items of one kind, which one gate checks. */
function Group({ board, spec, type, rows, columns }: GroupProps) {
  const queries = useQueryClient()
  const strip = useRef<HTMLElement>(null)
  useStrip(strip)
  const needs = [
    type === 'scenario' ? 'SPECS_LINK_SCENARIOS' : 'SPECS_LINK_ITEMS',
    writingIn('spec', spec.status),
  ] as const
  const isProven = rows.some(({ proof }) => proof !== null)
  const [addingFor, setAddingFor] = useState<CoverageRow>()
  const linking = useMutation({
    mutationFn: async ({ row, cardId }: { readonly row: CoverageRow; readonly cardId: string }) => {
      await toggle(spec.id, row, cardId)
      await refreshPlan(queries, 'spec', spec.id)
    },
  })
  return (
    <Section title={texts.types[type]}>
      <Share
        done={rows.filter(({ isCovered }) => isCovered).length}
        total={rows.length}
        isSkipped={rows[0]?.isSkipped === true}
      />
      {type === 'scenario' && <p className="muted">{texts.testsAlone}</p>}
      <Failure error={linking.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section ref={strip} className="matrix" aria-label={texts.types[type]} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.item}</th>
              {isProven && <th scope="col">{texts.proof}</th>}
              {columns.map(({ id, ref, title, status }) => (
                <th key={id} scope="col" title={title}>
                  <Link className="row" href={addressOfCard(board.key, ref)}>
                    <StatusSign status={status} /> {ref}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.id} className={row.isCovered || row.isSkipped ? undefined : 'gap'}>
                <th scope="row">
                  <span className="row">
                    <span className="grow">
                      <bdi>
                        <Linked text={row.says} />
                      </bdi>{' '}
                      <Verdict row={row} />
                    </span>
                    {type === 'scenario' && !row.isCovered && (
                      <IconButton
                        icon="plus"
                        label={texts.addTest(row.says)}
                        title={texts.addTest(row.says)}
                        needs={creatingCard('test')}
                        onClick={() => setAddingFor(row)}
                      />
                    )}
                  </span>
                </th>
                {isProven && (
                  <td>{row.proof === null ? <span className="muted">–</span> : <ScenarioProof proof={row.proof} />}</td>
                )}
                {columns.map(card => (
                  <td
                    key={card.id}
                    className={countsTowards(card, type) ? undefined : 'without-count'}
                    title={countsTowards(card, type) ? undefined : texts.doesNotCount}
                  >
                    <Input
                      needs={needs}
                      type="checkbox"
                      aria-label={texts.link(row.says, card.ref)}
                      checked={row.cardIds.includes(card.id)}
                      disabled={linking.isPending}
                      onChange={() => linking.mutate({ row, cardId: card.id })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {addingFor !== undefined && (
        <AddCardDialog board={board} spec={spec} scenarioId={addingFor.id} onClose={() => setAddingFor(undefined)} />
      )}
    </Section>
  )
}

/** What a row is missing: any card, or one that counts. */
function Verdict({ row: { isCovered, isSkipped, cardIds } }: { readonly row: CoverageRow }) {
  if (isCovered) return null
  return (
    <span className={isSkipped ? 'badge' : 'badge amber'}>{cardIds.length === 0 ? texts.gap : texts.noneCounts}</span>
  )
}

/** Links a card to an item, or removes the link. */
function toggle(spec_id: string, { id, type, cardIds }: CoverageRow, card_id: string): Promise<unknown> {
  const isLinked = cardIds.includes(card_id)
  if (type === 'scenario') {
    const names = { spec_id, scenario_id: id, card_id }
    return isLinked ? client.unlinkTaskFromScenario(names) : client.linkTaskToScenario(names)
  }
  const names = { spec_id, item_id: id, card_id, item_type: type }
  return isLinked ? client.unlinkTaskFromItem(names) : client.linkTaskToItem(names)
}
