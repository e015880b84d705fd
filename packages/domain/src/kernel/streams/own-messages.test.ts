import { expect, test } from 'vitest'
import { OwnMessages } from './own-messages.ts'

const message = (done: number) => ({ event: 'import', data: { done } })

test('every stream of the agent gets a message, each the newest under its key, and wakes', () => {
  const woken: string[] = []
  const own = new OwnMessages(agentId => woken.push(agentId))
  const [first, second, other] = [own.open('a'), own.open('a'), own.open('b')]
  own.send('a', 'one', message(1))
  own.send('a', 'two', message(7))
  own.send('a', 'one', message(2))
  expect(first.take()).toEqual([message(2), message(7)])
  expect(first.take()).toEqual([])
  own.send('a', 'one', message(3))
  expect(second.take()).toEqual([message(3), message(7)])
  expect(other.take()).toEqual([])
  expect(woken).toEqual(['a', 'a', 'a', 'a'])
})

test('without an open stream a message is lost', () => {
  const woken: string[] = []
  const own = new OwnMessages(agentId => woken.push(agentId))
  own.open('a').close()
  own.send('a', 'one', message(1))
  expect(own.open('a').take()).toEqual([])
  expect(woken).toEqual([])
})
