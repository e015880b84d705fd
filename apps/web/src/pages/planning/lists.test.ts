import { describe, expect, test } from 'vitest'
import { freeId, lineAt, placesNamed, withItem, withLine } from './lists.ts'

describe('lines', () => {
  const requirement = { id: 'tr1', text: 'Fast', linked_task_ids: ['1'] }

  test('a line is rewritten and keeps its links', () => {
    expect(withLine(['a', requirement], 1, 'Faster')).toEqual(['a', { ...requirement, text: 'Faster' }])
  })
  test('an empty line goes', () => {
    expect(withLine(['a', 'b'], 0, ' ')).toEqual(['b'])
  })
  test('a line behind the last is added', () => {
    expect(withLine(['a'], 1, 'b')).toEqual(['a', 'b'])
  })
  test('a line is found again that others moved', () => {
    expect(lineAt(['new', 'a', 'b'], 0, 'a')).toBe(1)
    expect(lineAt(['a', 'a'], 1, 'a')).toBe(1)
    expect(lineAt(['changed', 'b'], 0, 'a')).toBe(0)
  })
})

describe('items', () => {
  test('an item is replaced, a new one added', () => {
    expect(withItem([{ id: 'a', title: '1' }], { id: 'a', title: '2' })).toEqual([{ id: 'a', title: '2' }])
    expect(withItem([{ id: 'a' }], { id: 'b' })).toEqual([{ id: 'a' }, { id: 'b' }])
  })
  test('sentences are named by their place or in their words', () => {
    const item = { id: 'br1', linked_requirements: ['2', 'One', 'Gone'] }
    expect(placesNamed(item, 'linked_requirements', ['Zero', 'One', 'Two'])).toEqual([1, 2])
    expect(placesNamed({ id: 'br2', linked_requirements: null }, 'linked_requirements', ['Zero'])).toEqual([])
  })
  test('a new id is one that is free', () => {
    expect(freeId([], 'br')).toBe('br1')
    expect(freeId([{ id: 'br2' }], 'br')).toBe('br3')
  })
})
