import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SlotTable } from './slot-table.ts'

const command = fc.tuple(fc.constantFrom('set', 'delete'), fc.integer({ min: 0, max: 5_000 }), fc.nat(100))

test('behaves like a map', () =>
  fc.assert(
    fc.property(fc.array(command), commands => {
      const table = new SlotTable()
      const map = new Map<number, number>()
      for (const [action, ordinal, slot] of commands) {
        if (action === 'set') {
          table.set(ordinal, slot)
          map.set(ordinal, slot)
        } else {
          table.delete(ordinal)
          map.delete(ordinal)
        }
        expect(table.get(ordinal)).toBe(map.get(ordinal))
      }
      expect(table.size).toBe(map.size)
      expect([...table.ordinals()].sort()).toEqual([...map.keys()].sort())
    }),
  ))
