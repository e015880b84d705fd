import { operationByName } from '@specboard/contract'
import { type Answer, DomainError } from '@specboard/domain'
import { expect, test } from 'vitest'
import type { CallContext } from '../calls/call-context.ts'
import { callOperation } from '../calls/call-operation.ts'
import { CancelledError } from '../calls/cancelled.ts'
import { viewOf } from '../tools/view.ts'
import { callMeta } from './call-meta.ts'

const timeout = new DomainError('TIMEOUT', 'Too long.')
const health = { status: 200, body: { status: 'ok', version: '1' } }

/** A context whose service aborts each call with `reason` and then ends it with `end`. */
function endingWith(reason: Error, end: () => Answer) {
  const controller = new AbortController()
  const faults: unknown[] = []
  const perform = async () => {
    controller.abort(reason)
    return end()
  }
  const context: CallContext = {
    service: {
      perform,
      check: unused,
      read: unused,
      withIds: async call => call,
      idOf: unused,
      nextActions: unused,
      database: {} as CallContext['service']['database'],
      // With 0 minutes, no call counts as a repetition.
      environment: { repeatMinutes: 0 } as CallContext['service']['environment'],
    },
    caller: {
      id: 'a',
      name: 'A',
      kind: 'agent',
      via: 'key',
      present: false,
      presetId: null,
      flags: null,
      base: { allowed: new Set(), deniedBy: () => 'preset' },
    },
    view: viewOf({}, 'all'),
    requestId: 'r',
    origin: 'http://127.0.0.1',
    abort: controller.signal,
    progress: () => {},
    issueTicket: undefined,
    onFault: fault => faults.push(fault),
  }
  return { context, faults }
}

const unused = () => Promise.reject(new Error('not called'))
const broken = () => {
  throw new Error('a connection was closed')
}
const call = (context: CallContext) => callOperation(context, operationByName.get('get_health')!, {})
const run = (context: CallContext) =>
  callMeta(
    context,
    'run_operations',
    { calls: [{ name: 'get_health' }, { name: 'get_health' }], continue_on_error: true },
    async () => ({}),
  )

test('a call that fails because its time ran out is TIMEOUT, not a fault', async () => {
  const { context, faults } = endingWith(timeout, broken)
  expect(await call(context)).toMatchObject({ ok: false, error: { status: 504, detail: { error: 'TIMEOUT' } } })
  expect(faults).toEqual([])
})

test.each([
  ['succeeded', () => health, [{ ok: true }], 0],
  ['failed', broken, [{ ok: false, error: { status: 504 } }], 1],
])(
  'a run whose time ran out is TIMEOUT: it reports the call that %s and does not make the next',
  async (_, end, results, failed) => {
    const { context } = endingWith(timeout, end)
    const outcome = await run(context)
    expect(outcome).toMatchObject({ ok: false, error: { status: 504, detail: { error: 'TIMEOUT' }, results, failed } })
  },
)

test('a cancelled call or run ends at once and is not a fault', async () => {
  for (const cancelled of [call, run])
    for (const end of [broken, () => health]) {
      const { context, faults } = endingWith(new CancelledError(), end)
      if (cancelled === run || end === broken) await expect(cancelled(context)).rejects.toBeInstanceOf(CancelledError)
      expect(faults).toEqual([])
    }
})
