import { runtimeSettings } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { pinnedSettings, RuntimeSettings } from './runtime-settings.ts'

describe('environment variables that pin a setting (access 12)', () => {
  test('are SPECBOARD_ and the key in upper case, and count when not empty', () => {
    const variables = { SPECBOARD_PAGE_CACHE_MB: '32', SPECBOARD_KG_QUEUE_MAX_ATTEMPTS: '', PAGE_CACHE_MB: '5' }
    expect(pinnedSettings(variables)).toStrictEqual({ page_cache_mb: 32 })
  })

  test.each(Object.entries(runtimeSettings))(
    '%s: a value out of range is refused with the name of the variable',
    (key, { min, max }) => {
      const name = `SPECBOARD_${key.toUpperCase()}`
      for (const value of [min, max]) expect(pinnedSettings({ [name]: String(value) })).toStrictEqual({ [key]: value })
      for (const text of [min - 1, max + 1, '1.5', 'x', ' 9', '0x10'].map(String))
        expect(() => pinnedSettings({ [name]: text })).toThrow(name)
    },
  )
})

test('a listener is called for every change until it unsubscribes', () => {
  const settings = new RuntimeSettings({ page_cache_mb: 8 })
  const received: number[] = []
  const end = settings.onChange(values => received.push(values.kg_queue_max_attempts))
  settings.apply({ ...settings.values, kg_queue_max_attempts: 6 })
  end()
  settings.apply({ ...settings.values, kg_queue_max_attempts: 7 })
  expect([received, settings.values.kg_queue_max_attempts, settings.pinned]).toStrictEqual([[6], 7, ['page_cache_mb']])
})
