import { expect, test } from 'vitest'
import { messages } from '../../messages/messages.ts'
import { actionGroupNames, actionGroups, askedActions } from './actions.ts'

const grouped: readonly string[] = Object.values(actionGroups).flat()

test('what has a sentence of its own is in a group, and nothing in two', () => {
  expect(Object.keys(messages.activity.did).filter(action => !grouped.includes(action))).toEqual([])
  expect(grouped.filter((action, at) => grouped.indexOf(action) !== at)).toEqual([])
})

test('a group has words, and stands for its actions; an action stands for itself', () => {
  expect(Object.keys(messages.activity.actions)).toEqual(actionGroupNames)
  expect(askedActions('comments')).toBe('comment_added,comment_updated,comment_deleted,comment_responded')
  expect(askedActions('card_moved,spec_moved')).toBe('card_moved,spec_moved')
})

test('an action that no verb fits has a sentence of its own', () => {
  const { did, verbs } = messages.activity
  const fits = (action: string) => Object.keys(verbs).some(verb => action.endsWith(`_${verb}`))
  expect(grouped.filter(action => !Object.hasOwn(did, action) && !fits(action))).toEqual([])
})
