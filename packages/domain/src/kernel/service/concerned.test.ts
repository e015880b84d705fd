import { rm } from 'node:fs/promises'
import { type OperationName, operationByName, parseInput } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedService, openService } from '../../open.ts'
import { migratedFolder } from '../../schema/empty-database.testing.ts'
import type { Caller } from '../context.ts'

type Arguments = Readonly<Record<string, unknown>>

let folder: string
let opened: OpenedService
let caller: Caller

/**
 * The records of a board: a spec with two cards, and another spec with two cards, one of which waits for a card of the
 * first spec.
 */
const ids: Record<string, string> = {}

beforeAll(async () => {
  folder = await migratedFolder('specboard-concerned-')
  opened = await openService({ folder, version: '1', workers: false })
  caller = await opened.service.authenticate(opened.ownerKey)
  ids.board = (await call('create_board', { name: 'Standing', description: '' })).id
  const on = { board_id: ids.board }
  ids.ideation = (await call('create_ideation', { ...on, title: 'Idea' })).id
  ids.spec = (
    await call('create_spec', { ...on, title: 'Touched', ideation_id: ids.ideation, status: 'in_progress' })
  ).id
  ids.other = (await call('create_spec', { ...on, title: 'Other', status: 'in_progress' })).id
  ids.card = (await call('create_card', { ...on, title: 'Touched', spec_id: ids.spec })).id
  ids.sibling = (await call('create_card', { ...on, title: 'Of the same spec', spec_id: ids.spec })).id
  ids.waiting = (await call('create_card', { ...on, title: 'Waits for it', spec_id: ids.other })).id
  ids.apart = (await call('create_card', { ...on, title: 'Apart', spec_id: ids.other })).id
  await call('add_card_dependency', { card_id: ids.waiting, depends_on_id: ids.card })
  ids.comment = (await call('create_comment', { card_id: ids.card, content: 'On it' })).id
  ids.elsewhere = (await call('create_board', { name: 'Elsewhere', description: '' })).id
})

afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations
async function call(name: OperationName, args: Arguments): Promise<any> {
  const operation = operationByName.get(name)!
  const parts = { params: {} as Record<string, string>, query: {} as Arguments, body: {} as Arguments }
  for (const [key, value] of Object.entries(args))
    if (key in operation.params) parts.params[key] = String(value)
    else if (operation.method === 'GET') parts.query = { ...parts.query, [key]: String(value) }
    else parts.body = { ...parts.body, [key]: value }
  const parsed = parseInput(operation, { ...parts, body: operation.method === 'GET' ? undefined : parts.body })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
  return (await opened.service.perform({ operation, input: parsed.input, caller })).body
}

/** Arguments in which `$name` stands for the id of a record. */
const resolved = (args: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      String(value).startsWith('$') ? ids[String(value).slice(1)] : value,
    ]),
  )

test.each<[OperationName, Arguments]>([
  ['create_ideation', { board_id: '$board', title: 'New' }],
  ['create_card', { board_id: '$board', title: 'New', spec_id: '$other' }],
  ['update_card', { card_id: '$apart', title: 'Renamed' }],
  ['move_card', { card_id: '$apart', target_status: 'started' }],
  ['create_comment', { card_id: '$apart', content: 'Said' }],
  ['update_spec', { spec_id: '$other', title: 'Renamed' }],
  ['update_board', { board_id: '$elsewhere', description: 'Other' }],
  ['list_cards', { board_id: '$elsewhere' }],
])('%s of what is not touched goes on while an import is put in place (exchange 1.3)', async (name, args) => {
  const { gates } = opened.service.environment
  const { open } = await gates.close(ids.board!, new Set([ids.card!, ids.spec!, ids.ideation!]))
  try {
    await call(name, resolved(args))
  } finally {
    open()
  }
})

test.each<[OperationName, Arguments]>([
  ['get_card', { card_id: '$apart' }],
  ['list_cards', { board_id: '$board' }],
  ['list_boards', {}],
  ['update_board', { board_id: '$board', description: 'Said' }],
  ['claim_next_card', { board_id: '$board' }],
  ['execute_discovery_intent', { intent_id: 'recent_activity', board_id: '$board' }],
  ['update_card', { card_id: '$card', title: 'Touched' }],
  ['update_card', { card_id: '$sibling', title: 'Sibling' }],
  ['update_card', { card_id: '$waiting', title: 'Waits' }],
  ['update_card', { card_id: '$apart', spec_id: '$spec' }],
  ['create_card', { board_id: '$board', title: 'New', spec_id: '$spec' }],
  ['update_comment', { comment_id: '$comment', content: 'Changed' }],
  ['update_ideation', { ideation_id: '$ideation', title: 'Changed' }],
  ['add_card_dependency', { card_id: '$apart', depends_on_id: '$waiting' }],
])('%s with %o waits until all of an import is in place (exchange 1.3)', async (name, args) => {
  const { gates } = opened.service.environment
  const order: string[] = []
  const { open } = await gates.close(ids.board!, new Set([ids.card!, ids.spec!, ids.ideation!]))
  let refusal: unknown
  const calling = call(name, resolved(args))
    .catch(error => {
      refusal = error
    })
    .then(() => order.push('answered'))
  // A call of the same service that is not held back ends meanwhile.
  await call('create_ideation', { board_id: ids.board, title: 'Meanwhile' })
  order.push('open')
  open()
  await calling
  expect([order, refusal]).toEqual([['open', 'answered'], undefined])
})
