import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfCoverage, addressOfRecord } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Linked } from '../../components/linked.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { opening } from '../../components/part.tsx'
import { ScenarioProof } from '../../components/scenario-proof.tsx'
import { StatusSign } from '../../components/status.tsx'
import { countsTowards, type LinkedType } from '../../data/coverage.ts'
import { changing, writingIn } from '../../data/needs.ts'
import type { PlanRecord } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { statusWords } from '../../messages/status-words.ts'
import type { FieldName, ItemsField } from './fields.ts'
import { ItemDialog } from './item-dialog.tsx'
import { freeId, type Item } from './lists.ts'
import type { ShownPlan } from './shown.ts'

const ScenarioResultDialog = opening(() => import('../../forms/scenario-result-dialog.tsx'))

interface ItemsProps extends ShownPlan {
  readonly field: ItemsField
  readonly items: readonly Item[]
}

const texts = messages.planning

/** A list of items, such as rules and scenarios, each with its texts and the number of cards that cover it. */
export function Items({ field, items, ...shown }: ItemsProps) {
  const [edited, setEdited] = useState<Item>()
  const [recorded, setRecorded] = useState<string>()
  const { kind, record } = shown
  const needs = changing(kind, record.status, field.name)
  return (
    <>
      <ul className="plain stack">
        {items.map(item => (
          <li key={item.id} className="box stack">
            <div className="row wrap">
              <ItemHead item={item} field={field} record={record} />
              {field.name === 'test_scenarios' && (
                <Button
                  needs={['SPECS_RECORD_RESULTS', writingIn(kind, record.status)]}
                  aria-label={messages.card.result.recordOf(headOf(item))}
                  onClick={() => setRecorded(item.id)}
                >
                  {messages.card.result.record}
                </Button>
              )}
              <IconButton
                icon="edit"
                label={`${messages.card.edit}: ${headOf(item)}`}
                title={messages.card.edit}
                needs={needs}
                onClick={() => setEdited(item)}
              />
            </div>
            <ProofOf item={item} field={field} record={record} />
            <ItemTexts item={item} field={field} />
            <LinkedCards item={item} record={shown.record} />
          </li>
        ))}
      </ul>
      <Button
        needs={needs}
        aria-label={texts.newItem(texts.fields[field.name])}
        onClick={() => setEdited({ id: freeId(items, field.prefix) })}
      >
        <Icon name="plus" /> {texts.addItem}
      </Button>
      {edited !== undefined && (
        <ItemDialog {...shown} field={field} item={edited} onClose={() => setEdited(undefined)} />
      )}
      {recorded !== undefined && (
        <ScenarioResultDialog specId={shown.record.id} scenarioId={recorded} onClose={() => setRecorded(undefined)} />
      )}
    </>
  )
}

interface ItemSummaryProps {
  readonly item: Item
  readonly field: ItemsField
  readonly record: PlanRecord
}

/** An item as text: its state, its texts, and the cards that cover it. */
export const ItemSummary = ({ item, field, record }: ItemSummaryProps) => (
  <>
    <div className="row wrap">
      <ItemHead item={item} field={field} record={record} />
    </div>
    <ProofOf item={item} field={field} record={record} />
    <ItemTexts item={item} field={field} />
    <LinkedCards item={item} record={record} />
  </>
)

const ItemHead = ({ item, field, record }: ItemSummaryProps) => (
  <>
    <strong className="grow plan-item" dir="auto">
      <Linked text={headOf(item)} />
    </strong>
    {typeof item.status === 'string' && (
      <span className={`badge ${statusColours[item.status] ?? ''}`}>{statusWords(item.status)}</span>
    )}
    <Answered item={item} field={field} record={record} />
  </>
)

/** The proof of a scenario; renders nothing for other items. */
function ProofOf({ item, field, record }: ItemSummaryProps) {
  const scenarios = field.name === 'test_scenarios' && 'test_scenarios' in record ? record.test_scenarios : null
  const proof = scenarios?.find(({ id }) => id === item.id)?.proof ?? null
  return proof === null ? null : <ScenarioProof proof={proof} />
}

const statusColours: Readonly<Record<string, string>> = { passed: 'green', failed: 'red', revoked: 'red' }

/** The heading of an item. */
const headOf = ({ id, title, method, path }: Item): string =>
  typeof title === 'string' && title !== '' ? title : method === undefined ? id : `${method} ${path}`

const inHead: ReadonlySet<string> = new Set(['title', 'method', 'path'])

const ItemTexts = ({ item, field }: { readonly item: Item; readonly field: ItemsField }) => (
  <dl className="steps">
    {field.texts
      .filter(name => !inHead.has(name))
      .map(name => [name, item[name]] as const)
      .filter((entry): entry is [(typeof entry)[0], string] => typeof entry[1] === 'string' && entry[1] !== '')
      .map(([name, text]) => (
        <div key={name}>
          <dt>{texts.item[name]}</dt>
          <dd>
            <Markdown text={text} />
          </dd>
        </div>
      ))}
  </dl>
)

/** The cards that cover an item, such as the tests of a scenario. */
function LinkedCards({ item, record }: { readonly item: Item; readonly record: PlanRecord }) {
  const ids: readonly unknown[] = Array.isArray(item.linked_task_ids) ? item.linked_task_ids : []
  const cards = 'cards' in record ? record.cards.filter(({ id }) => ids.includes(id)) : []
  return cards.length === 0 ? null : (
    <ul className="plain row wrap">
      {cards.map(({ id, ref, title, status, card_type }) => (
        <li key={id}>
          <Link className="badge" href={addressOfRecord('card', ref)} title={title}>
            {card_type === 'test' && <Icon name="test" size={12} />}
            <StatusSign status={status} /> {ref}
            <span className="hidden">{messages.board.statuses[status]}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The coverage type of each list. */
const linkedTypes: Readonly<Partial<Record<FieldName, LinkedType>>> = {
  business_rules: 'business_rule',
  api_contracts: 'api_contract',
  decisions: 'decision',
  test_scenarios: 'scenario',
}

/** How many cards cover an item: only those that count in the gates and on the coverage page. */
function Answered({ item, field, record }: ItemSummaryProps) {
  const type = linkedTypes[field.name]
  if (type === undefined || !('cards' in record)) return null
  const ids: readonly unknown[] = Array.isArray(item.linked_task_ids) ? item.linked_task_ids : []
  const count = record.cards.filter(
    card => ids.includes(card.id) && 'archived' in card && countsTowards(card, type),
  ).length
  // No gate asks for cards of a decision that no longer applies (specs 6.1).
  if (count === 0 && (item.status === 'superseded' || item.status === 'revoked')) return null
  return (
    <Link className={count === 0 ? 'badge amber' : 'badge'} href={addressOfCoverage(record.ref)} title={texts.coverage}>
      {texts.answeredBy(count)}
    </Link>
  )
}
