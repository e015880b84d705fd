import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Exchange } from './exchange.ts'

/** An exchange whose answer was not sent yet. */
function open() {
  const request = new IncomingMessage(new Socket())
  request.url = '/boards?limit=1'
  return new Exchange(request, new ServerResponse(request))
}

test('the signal is one, however often it is asked for, and fires when the caller goes away', async () => {
  const exchange = open()
  const { signal } = exchange
  for (let asked = 0; asked < 20; asked++) expect(exchange.signal).toBe(signal)
  expect(exchange.response.listenerCount('close')).toBe(1)
  expect(signal.aborted).toBe(false)
  exchange.cut()
  await expect.poll(() => signal.aborted).toBe(true)
})
