import { describe, expect, test } from 'vitest'
import { isId } from '../../lib/ids.ts'
import type { Column } from '../kinds/columns.ts'
import { architecturePayload, architectureVersion } from '../kinds/designs.ts'
import { event, kindOf } from '../kinds/kinds.ts'
import { withRecordIds } from '../kinds/record-ids.ts'
import { refusingOtherIds, replacingOtherIds } from './own-ids.ts'

const kinds: readonly (readonly [string, Readonly<Record<string, Column>>])[] = [
  ...[...kindOf].map(([type, { columns }]) => [type, columns] as const),
  ['event', event],
  ['version', architectureVersion],
  ['payload', architecturePayload],
]

const place = { entry: 'records.jsonl', line: 7 }
const own = '019cadd3-d676-7e1f-b6d3-02a8b5f94c37'

/** Texts that do not have the form of the service's ids. */
const hostile = [
  '../../.ssh',
  'ATT-2',
  'ATT',
  'a/b',
  '',
  '\u0000',
  'x'.repeat(5_000),
  own.toUpperCase(),
  `{${own}}`,
  own.replaceAll('-', ''),
  `${own}\n`,
  `urn:uuid:${own}`,
  'constructor',
]

/** Columns with values chosen by a caller, or ids of things that are not records. */
const ownTexts: ReadonlySet<string> = new Set([
  'assignee_id',
  'business_rule_ids',
  'diagram_id',
  'external_id',
  'intent_id',
  'patch_id',
  'scenario_id',
  'source_design_id',
  'source_ref',
  'test_scenario_ids',
])

/** A value of a column that holds one id. */
function holding({ idsIn }: Column, id: string): unknown {
  if (idsIn === 'whole') return id
  if (idsIn === 'reference') return `card:${id}:decision:d1`
  return [Object.fromEntries(idsIn!.map(name => [name, id]))]
}

const idColumns = kinds.flatMap(([type, columns]) =>
  Object.entries(columns)
    .filter(([, { idsIn }]) => idsIn !== undefined)
    .map(([name, column]) => [type, name, column] as const),
)

describe('ids of an archive (walls 1)', () => {
  test.each(kinds)('each column of %s that is called like an id is declared as what it holds', (_, columns) => {
    const undeclared = Object.entries(columns).filter(
      ([name, { idsIn, isAuthor }]) =>
        /(?:^|_)(?:ids?|ref|by)$/.test(name) && idsIn === undefined && !isAuthor && !ownTexts.has(name),
    )
    expect(undeclared.map(([name]) => name)).toEqual([])
  })

  test.each(idColumns)('%s.%s is refused or replaced unless it has the own form', (_, name, column) => {
    for (const id of hostile) {
      const fields = { [name]: holding(column, id) }
      const columns = { [name]: column }
      expect(() => refusingOtherIds.fields(columns, fields, place)).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR', extra: expect.objectContaining(place) }),
      )
      const replaced: string[] = []
      withRecordIds(column, replacingOtherIds().fields(columns, fields, place)[name], found => {
        replaced.push(found)
        return found
      })
      expect(replaced.length).toBeGreaterThan(0)
      expect(replaced.every(isId)).toBe(true)
    }
    const fields = { [name]: holding(column, own) }
    expect(refusingOtherIds.fields({ [name]: column }, fields, place)).toEqual(fields)
    expect(replacingOtherIds().fields({ [name]: column }, fields, place)).toEqual(fields)
  })

  const authors = kinds.flatMap(([type, columns]) =>
    Object.entries(columns)
      .filter(([, { isAuthor, mayBeName }]) => isAuthor && !mayBeName)
      .map(([name, column]) => [type, name, column] as const),
  )

  test.each(authors)('%s.%s is an actor or a name', (_, name, column) => {
    const judged = (author: string) => refusingOtherIds.fields({ [name]: column }, { [name]: author }, place)
    for (const author of [own, 'external:Ann', ...['ci', 'forge', 'automation'].map(kind => `${kind}:${own}`)])
      expect(judged(author)).toEqual({ [name]: author })
    for (const author of hostile.filter(text => text !== '').flatMap(text => [text, `ci:${text}`]))
      expect(() => judged(author)).toThrow(/keep_ids=false/)
  })

  test('an id of another form stands for the same one wherever it stands, in free JSON behind it too', () => {
    const ids = replacingOtherIds()
    const { card, spec } = { card: kindOf.get('card')!.columns, spec: kindOf.get('spec')!.columns }
    const { id } = ids.fields(card, { id: 'ATT-2' }, place)
    const rules = [{ id: 'r1', linked_task_ids: ['ATT-2'] }]
    expect(ids.fields(spec, { business_rules: rules }, place).business_rules).toEqual([
      { id: 'r1', linked_task_ids: [id] },
    ])
    const details = { card_id: 'ATT-2', title: 'ATT-2', other_id: 'never seen' }
    expect(ids.fields(event, { details }, place).details).toEqual({ ...details, card_id: id })
    expect(ids.board('ATT-2', place)).toBe(id)
  })

  test('agents of another form are the same in agents.jsonl and in records', () => {
    const ids = replacingOtherIds()
    const agent = ids.agent('root', place)
    expect(isId(agent)).toBe(true)
    expect(ids.fields(kindOf.get('card')!.columns, { created_by: 'root' }, place).created_by).toBe(agent)
    expect(() => refusingOtherIds.agent('root', place)).toThrow(/keep_ids=false/)
  })
})
