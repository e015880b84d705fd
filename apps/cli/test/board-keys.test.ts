import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const create = (name: string, fields: object = {}) => world.ok('create_board', { name, description: '', ...fields })
const keyOf = async (name: string, fields: object = {}): Promise<string> => (await create(name, fields)).key
const ideationOn = (board_id: string) => world.ok('create_ideation', { board_id, title: 'Idea' })

/** Whether a reference names a record. */
const names = async (ref: string) => (await world.call('get_ideation', { ideation_id: ref })).body.id

describe('the key of a new board (work 1)', () => {
  test('comes from its name, with the lowest free number behind it', async () => {
    expect(await keyOf('Derived')).toBe('DER')
    expect(await keyOf('Derived')).toBe('DER2')
    const third = await create('Derived')
    expect(third.key).toBe('DER3')
    await create('Derived')
    await world.ok('delete_board', { board_id: third.id })
    expect(await keyOf('derived')).toBe('DER3')
  })

  test('of one name is unique for boards that are made at once', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => keyOf('Made at once')))
    expect(new Set(keys).size).toBe(12)
  })

  test('may be given', async () => {
    const board = await create('Given', { key: 'A1' })
    expect(board.key).toBe('A1')
    const listed = await world.ok('list_boards')
    expect(listed.find(({ id }: { id: string }) => id === board.id).key).toBe('A1')
    expect((await world.ok('get_board', { board_id: board.id })).key).toBe('A1')
  })

  test('is 409 KEY_TAKEN when another board has it', async () => {
    await create('First', { key: 'FIRST' })
    const answer = await world.call('create_board', { name: 'Second', description: '', key: 'FIRST' })
    expect([answer.status, answer.body.detail]).toMatchObject([409, { error: 'KEY_TAKEN', key: 'FIRST' }])
  })

  test.each(['A', 'ABCDEFGHIJK', 'spe', '1AB', 'A-B', 'ÄB', '', 1, null])('%j is 422', async key => {
    const { status } = await world.call('create_board', { name: 'Bad', description: '', key })
    expect(status).toBe(422)
  })
})

describe('changing a key (work 1)', () => {
  test('keeps old references and the old key until another board takes it', async () => {
    const board = await create('Renamed', { key: 'OLD' })
    const { id, ref } = await ideationOn(board.id)
    expect(ref).toBe('OLD-1')
    expect((await world.ok('update_board', { board_id: board.id, key: 'NEW' })).key).toBe('NEW')
    expect((await world.ok('get_ideation', { ideation_id: id })).ref).toBe('NEW-1')
    expect([await names('OLD-1'), await names('NEW-1'), await names('old-1')]).toEqual([id, id, id])
    expect((await world.ok('get_board', { board_id: 'OLD' })).id).toBe(board.id)

    const taker = await create('Taker', { key: 'OLD' })
    expect((await world.ok('get_board', { board_id: 'old' })).id).toBe(taker.id)
    expect([await names('OLD-1'), await names('NEW-1')]).toEqual([undefined, id])
  })

  test('to one that another board had takes it from that board', async () => {
    const [one, other] = [await create('One', { key: 'HAD' }), await create('Other')]
    await world.ok('update_board', { board_id: one.id, key: 'HAS' })
    await world.ok('update_board', { board_id: other.id, key: 'HAD' })
    expect((await world.ok('get_board', { board_id: 'HAD' })).id).toBe(other.id)
  })

  test('and back again works, with both keys', async () => {
    const { id } = await create('There', { key: 'THERE' })
    for (const key of ['BACK', 'THERE', 'BACK']) await world.ok('update_board', { board_id: id, key })
    for (const board_id of ['BACK', 'THERE']) expect((await world.ok('get_board', { board_id })).id).toBe(id)
  })

  test('is in the activity; the same key changes nothing', async () => {
    const { id, updated_at } = await create('Logged', { key: 'LOG' })
    expect((await world.ok('update_board', { board_id: id, key: 'LOG' })).updated_at).toBe(updated_at)
    await world.ok('update_board', { board_id: id, key: 'LOGGED' })
    expect(logged(world, id).slice(1)).toMatchObject([
      { activity: 'board_updated', details: { fields: ['key'], changes: { key: ['LOG', 'LOGGED'] } } },
    ])
  })

  test('is 409 KEY_TAKEN when another board has it, and changes nothing', async () => {
    await create('Holder', { key: 'HELD' })
    const { id } = await create('Wanting', { key: 'WANT' })
    const answer = await world.call('update_board', { board_id: id, key: 'HELD', name: 'Other' })
    expect([answer.status, answer.body.detail.error]).toEqual([409, 'KEY_TAKEN'])
    expect(await world.ok('get_board', { board_id: id })).toMatchObject({ key: 'WANT', name: 'Wanting' })
  })

  test('frees it when the board is deleted', async () => {
    const { id } = await create('Gone', { key: 'GONE' })
    await world.ok('update_board', { board_id: id, key: 'GONE2' })
    await world.ok('delete_board', { board_id: id })
    for (const board_id of ['GONE', 'GONE2']) expect((await world.call('get_board', { board_id })).status).toBe(404)
  })
})

describe('numbers (work 1)', () => {
  test('are one count for all kinds, never used twice', async () => {
    const { id: board_id } = await create('Counted', { key: 'CNT' })
    const refs: string[] = []
    const collect = async (record: Promise<{ id: string; ref: string }>) => {
      const { id, ref } = await record
      refs.push(ref)
      return id
    }
    const ideation_id = await collect(ideationOn(board_id))
    for (const status of ['review', 'approved', 'evaluating', 'done'])
      await world.ok('move_ideation', { ideation_id, status })
    await collect(world.ok('create_refinement', { ideation_id, title: 'Story' }))
    const spec_id = await collect(world.ok('create_spec', { board_id, title: 'Spec', status: 'approved' }))
    const card_id = await collect(world.ok('create_card', { board_id, spec_id, title: 'Card' }))
    await collect(world.ok('create_sprint', { board_id, spec_id, title: 'Sprint' }))
    await world.ok('delete_card', { card_id })
    await collect(world.ok('create_card', { board_id, spec_id, title: 'Card' }))
    await world.call('create_card', { board_id, spec_id: 'none', title: 'Refused' })
    await collect(ideationOn(board_id))
    expect(refs).toEqual(['CNT-1', 'CNT-2', 'CNT-3', 'CNT-4', 'CNT-5', 'CNT-6', 'CNT-7'])
  })

  test('are kept on archive and restore', async () => {
    const { id: board_id } = await create('Archived', { key: 'ARC' })
    const { id } = await ideationOn(board_id)
    const record = { board_id, entity_type: 'ideation', entity_id: id }
    await world.ok('archive_record', record)
    expect((await world.ok('get_ideation', { ideation_id: id })).ref).toBe('ARC-1')
    await world.ok('restore_record', record)
    expect((await world.ok('get_ideation', { ideation_id: id })).ref).toBe('ARC-1')
  })

  test('of records that are made at once have no gap', async () => {
    const { id: board_id } = await create('Busy', { key: 'BUSY' })
    const ideations = await Promise.all(Array.from({ length: 30 }, () => ideationOn(board_id)))
    expect(ideations.map(({ ref }) => Number(ref.slice(5))).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
  })
})
