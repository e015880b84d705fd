import { permissionNames as names } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { permissions as german } from './de/permissions.ts'
import { permissions as english } from './en/permissions.ts'

describe.each([
  ['English', english],
  ['German', german],
])('the words of permissions, %s', (_, { may }) => {
  test('are there for every one, without a part of its name in capitals', () => {
    expect(names.filter(name => /[A-Z]{3}|_|undefined|\s\s|\s$/.test(may(name)))).toEqual([])
  })

  test('tell each from all others', () => {
    const byWords = Map.groupBy(names, may)
    expect([...byWords.values()].filter(alike => alike.length > 1)).toEqual([])
  })
})
