import { operationByName } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { answerValue } from './answer-value.ts'
import { compact, cut } from './compact.ts'
import { knowsPath, pick } from './fields.ts'
import { leanValue } from './lean-value.ts'
import { readArguments } from './read-arguments.ts'
import { badBase64At } from './upload.ts'

/** The value that an operation's answer with this body becomes. */
function shaped(name: string, args: Record<string, unknown>, body: unknown, total?: number) {
  const operation = operationByName.get(name)!
  const read = readArguments(operation, args)
  if (!read.ok) throw new Error(JSON.stringify(read.items))
  return answerValue(
    { status: 200, body, ...(total !== undefined && { total }) },
    { operation, input: read.input, options: read.options, given: args, warnings: read.warnings, ceiling: 20_000 },
  ).value
}

const long = 'x'.repeat(300)

test('a lean value has no null, [] or {}, at any depth; array elements stay in place', () => {
  expect(
    leanValue({ a: null, b: [], c: {}, d: { e: { f: null } }, g: [null, { h: null }], i: 0, j: '', k: false }),
  ).toEqual({
    g: [null, {}],
    i: 0,
    j: '',
    k: false,
  })
})

test('a compact record cuts texts, counts arrays of objects and names large objects', () => {
  expect(
    compact({
      id: 'i',
      title: long,
      created_at: 't',
      description: long,
      labels: ['a'],
      items: [{ id: 1 }, { id: 2 }],
      small: { note: 'n' },
      large: { note: long },
    }),
  ).toEqual({
    id: 'i',
    title: long,
    created_at: 't',
    description: `${'x'.repeat(200)}…[+100]`,
    labels: ['a'],
    items_count: 2,
    small: { note: 'n' },
    _omitted: ['large'],
  })
})

test('a compact answer that is no record itself has its records compact', () => {
  const long = 'x'.repeat(300)
  expect(compact({ claim: { note: 'n' }, card: { id: 'c', details: long, parts: [{ id: 1 }] } })).toEqual({
    claim: { note: 'n' },
    card: { id: 'c', details: `${'x'.repeat(200)}…[+100]`, parts_count: 1 },
  })
})

test('of what is held until a time the first three stay, and the sides of an overlap', () => {
  const side = (ref: string) => ({ ref, title: long, until: 't', mine: [long] })
  const [first, ...others] = ['a', 'b', 'c', 'd'].map(side)
  const expected = { ref: 'a', title: long, until: 't', mine: [`${'x'.repeat(200)}…[+100]`] }
  expect(compact({ id: 'i', overlaps: [first] })).toEqual({ id: 'i', overlaps: [expected] })
  const many = compact({ id: 'i', overlaps: [first, ...others] })
  expect(many).toMatchObject({ overlaps: [expected, { ref: 'b' }, { ref: 'c' }], overlaps_count: 4 })
  expect(compact({ a: first, b: first })).toEqual({ a: expected, b: expected })
  // The claim shows the overlap, so the card does not.
  const claimed = compact({ claim: { note: long, overlaps: [first] }, card: { id: 'c', overlaps: [first] } })
  expect(claimed).toMatchObject({ claim: { overlaps: [expected] }, card: { id: 'c', overlaps_count: 1 } })
})

test('a cut never splits a character', () => {
  expect(cut(`${'x'.repeat(3)}😀y`, 4)).toBe('xxx…[+3]')
})

describe('fields', () => {
  test('picks dotted paths through arrays, and always id', () => {
    const record = { id: 'i', title: 'T', context: 'c', test_scenarios: [{ id: 's', title: 'S', given: 'g' }] }
    expect(pick(record, ['title', 'test_scenarios.title'])).toEqual({
      id: 'i',
      title: 'T',
      test_scenarios: [{ id: 's', title: 'S' }],
    })
  })

  test('knows which paths an answer can have', () => {
    const { response } = operationByName.get('get_spec')!
    expect(knowsPath(response, 'test_scenarios.title')).toBe(true)
    expect(knowsPath(response, 'test_scenarios.nope')).toBe(false)
    expect(knowsPath(response, 'api_contracts.request_body.anything')).toBe(true)
  })

  test('without an id count from the records, where the answer holds one array or one object of arrays', () => {
    const started = { total: 1, cards: [{ id: 'c', title: 'T', status: 'started', position: 0 }] }
    const columns = { board_id: 'b', columns: { started } }
    expect(shaped('get_board_columns', { board_id: 'b', fields: 'id,title,status' }, columns)).toEqual({
      columns: { started: { cards: [{ id: 'c', title: 'T', status: 'started' }] } },
    })
    expect(shaped('get_board_columns', { board_id: 'b', fields: 'board_id,title' }, columns)).toEqual({
      board_id: 'b',
      columns: { started: { cards: [{ id: 'c', title: 'T' }] } },
    })
    const events = { events: [{ sequence: 1, id: 'e', action: 'a' }], last_sequence: 1, more: false }
    expect(shaped('list_board_events', { board_id: 'b', fields: 'action,more' }, events)).toEqual({
      events: [{ id: 'e', action: 'a' }],
      more: false,
    })
    expect(shaped('get_board_columns', { board_id: 'b', fields: 'nope' }, columns)._warnings).toEqual([
      "unknown field 'nope' ignored",
    ])
  })

  test('select from what a write answers, uncut, and from a deletion', () => {
    const body = { id: 'i', title: 'T', description: long, status: 'draft' }
    const args = { ideation_id: 'i', fields: 'description' }
    expect(shaped('update_ideation', args, body)).toEqual({ id: 'i', description: long })
    expect(shaped('move_ideation', { ...args, status: 'review' }, body)).toEqual({ id: 'i', description: long })
    expect(shaped('delete_card', { card_id: 'c', fields: 'ok' }, undefined)).toEqual({ ok: true, id: 'c' })
  })

  test.each([
    ['one with a step that reaches a prototype', 'flags.__proto__.zz', 'value_error'],
    ['one with the step constructor', 'id,constructor.prototype.zz', 'value_error'],
    ['one of too many characters', 'x'.repeat(4_001), 'string_too_long'],
    ['one of too many paths', 'a,'.repeat(101), 'too_long'],
    ['one with too many steps', Array(17).fill('a').join('.'), 'too_long'],
  ])('%s is refused', (_, fields, type) => {
    const read = readArguments(operationByName.get('get_my_permissions')!, { fields })
    expect(read).toMatchObject({ ok: false, items: [{ loc: ['fields'], type }] })
  })

  test('names of the base prototypes are paths like others', () => {
    const record = { id: 'i', title: 'T' }
    expect(pick(record, ['toString', 'hasOwnProperty.call'])).toEqual({ id: 'i' })
    expect(pick(record, ['__proto__.zz', 'constructor.prototype.zz'])).toEqual({ id: 'i' })
    expect(Object.hasOwn(Object.prototype, 'zz')).toBe(false)
    const { response } = operationByName.get('get_spec')!
    expect(knowsPath(response, 'toString')).toBe(false)
  })

  test('warns about an unknown path', () => {
    expect(
      shaped('get_board_columns', { board_id: 'b', fields: 'columns.none.title' }, { columns: { a: [] } }),
    ).toEqual({})
    expect(shaped('get_ideation', { ideation_id: 'i', fields: 'title,nope' }, { id: 'i', title: 'T', x: 1 })).toEqual({
      id: 'i',
      title: 'T',
      _warnings: ["unknown field 'nope' ignored"],
    })
  })
})

describe('lists', () => {
  const items = Array.from({ length: 3 }, (_, index) => ({ id: String(index), description: long, labels: null }))

  test('are pages of compact items', () => {
    expect(shaped('list_ideations', { board_id: 'b', limit: 3, offset: 6 }, items, 10)).toEqual({
      items: items.map(({ id }) => ({ id, description: `${'x'.repeat(200)}…[+100]` })),
      total: 10,
      offset: 6,
      next_offset: 9,
    })
  })

  test('have uncut items with full; the last page has no next_offset', () => {
    expect(shaped('list_ideations', { board_id: 'b', full: true }, items, 3)).toEqual({
      items: items.map(({ id, description }) => ({ id, description })),
      total: 3,
      offset: 0,
    })
  })

  test('above the ceiling drop items from the end', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ id: String(index), title: long }))
    const value = shaped('list_ideations', { board_id: 'b', limit: 200, full: true }, many, 200)
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(20_000)
    const shown = (value.items as unknown[]).length
    const call = { name: 'list_ideations', arguments: { board_id: 'b', limit: 200, full: true, offset: shown } }
    expect(value).toMatchObject({ truncated: true, total: 200, next_offset: shown })
    expect(value.more).toEqual([{ path: 'items', shown, total: 200, call }])
  })
})

describe('records', () => {
  const context = 'c'.repeat(60_000)

  test('above the ceiling have their longest texts cut, with the call that reads on', () => {
    const value = shaped('get_spec', { spec_id: 's' }, { id: 's', ref: 'A-1', context, description: 'short' })
    expect(value).toMatchObject({ id: 's', description: 'short', truncated: true })
    expect(value.context).toBe(`${'c'.repeat(2000)}…[+58000]`)
    const read = { entity_type: 'spec', entity_id: 'A-1', path: 'context', offset: 2_000 }
    expect(value.more).toEqual([
      { path: 'context', shown: 2_000, total: 60_000, call: { name: 'read_text', arguments: read } },
    ])
  })

  test('without long texts drop the end of their lists, then members, with the calls that read on', () => {
    const events = Array.from({ length: 1000 }, (_, id) => ({ id, note: 'n'.repeat(100) }))
    const value = shaped('stream_kg_events', { board_id: 'b' }, { events, last_event_id: 999, progress: { total: 1 } })
    const last = (value.events as { id: number }[]).at(-1)!.id
    expect(value).toMatchObject({ last_event_id: last, truncated: true })
    expect(value.more).toMatchObject([{ path: 'events', total: 1000, call: { arguments: { since: last } } }])
    const paths = Object.fromEntries(events.map(({ id, note }) => [`/${id}`, { note }]))
    const document = shaped('get_kg_openapi', {}, { openapi: '3.1.0', paths })
    expect(document).toMatchObject({ openapi: '3.1.0', truncated: true })
    const shown = Object.keys(document.paths as object).length
    const args = { part: 'paths', part_offset: shown }
    expect(document.more).toEqual([
      { path: 'paths', shown, total: 1000, call: { name: 'get_kg_openapi', arguments: args } },
    ])
    const rest = shaped('get_kg_openapi', args, { openapi: '3.1.0', paths })
    expect(Object.keys(rest.value as object)[0]).toBe(`/${shown}`)
  })

  test('are compact from writes and whole from reads', () => {
    const body = { id: 'i', description: long }
    expect(shaped('get_ideation', { ideation_id: 'i' }, body).description).toBe(long)
    expect(shaped('update_ideation', { ideation_id: 'i' }, body).description).not.toBe(long)
  })

  test('that were moved are what names them and what the move changed', () => {
    const body = { id: 'c', title: long, status: 'started', version: 2, position: 3, details: 'd', labels: ['a'] }
    const value = shaped('move_card', { card_id: 'c', status: 'started' }, body)
    expect(value).toEqual({ id: 'c', title: expect.any(String), status: 'started', version: 2, position: 3 })
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(600)
  })

  test.each(['"', '\\', '\u0007'])('that were moved are as short with a title of characters like %j', character => {
    const { title } = shaped(
      'move_card',
      { card_id: 'c', status: 'started' },
      { id: 'c', title: character.repeat(500) },
    )
    expect(JSON.stringify(title).length).toBeLessThanOrEqual(220)
  })

  test('that were deleted answer ok with their id', () => {
    expect(shaped('delete_card', { card_id: 'c' }, undefined)).toEqual({ ok: true, operation: 'delete_card', id: 'c' })
  })
})

test.each([
  ['aGVsbG8=', -1],
  ['aGVsbG8', -1],
  ['aGVs\nbG8=', -1],
  ['', -1],
  ['aGV$bG8=', 3],
  ['aGVsb', 5],
  ['aGVsbG8==', 7],
])('%j is invalid base64 from index %i (-1: valid)', (text, offset) => {
  expect(badBase64At(text)).toBe(offset)
})
