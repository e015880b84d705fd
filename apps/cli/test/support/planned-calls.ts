/** The calls whose statements the tests of query plans look at, on either database. */
import {
  type AnyOperation,
  type OperationName,
  operationByName,
  type ParsedInput,
  parseInput,
  pathNames,
  registry,
} from '@specboard/contract'
import type { Caller, Service } from '@specboard/domain'

export type Arguments = Readonly<Record<string, unknown>>

const keyed = registry.filter(({ permission }) => permission !== 'public')
export const reads = keyed.filter(({ method }) => method === 'GET')
export const writes = keyed.filter(({ method }) => method !== 'GET')

/** Operations as a test takes them for its cases. */
export const named = (operations: readonly AnyOperation[]) =>
  operations.map(operation => [operation.name, operation] as const)

export const byName = (name: OperationName) => operationByName.get(name)!
export const nameOf = (operation: AnyOperation) => operation.name as OperationName

/** A possible status of the records in a list, if `draft` is not one. */
const statuses: Readonly<Record<string, string>> = {
  list_forge_deliveries: 'failed',
  get_board_columns: 'done',
  list_cards: 'done',
  list_test_cases: 'failed',
  list_webhook_deliveries: 'failed',
  list_notification_deliveries: 'failed',
}

/** Further queries of an operation: its pages, and each filter alone. */
function furtherQueries({ name, query }: AnyOperation): Arguments[] {
  const page = { ...('limit' in query && { limit: 50 }), ...('offset' in query && { offset: 5_000 }) }
  const filters: Arguments = { status: statuses[name] ?? 'draft', include_archived: true }
  const filtered = Object.entries(filters).filter(([name]) => name in query)
  return [page, ...filtered.map(([name, value]) => ({ ...page, [name]: value }))]
}

type Input = Extract<ParsedInput, { readonly ok: true }>['input']

/** What a read is called with: the given arguments, and these with each of its further queries. */
export function inputsOf(operation: AnyOperation, callArgs: Arguments): Input[] {
  const args = Object.entries(callArgs)
  const inPath = pathNames(operation.path)
  const params = Object.fromEntries(args.filter(([key]) => inPath.includes(key)))
  const query = Object.fromEntries(args.filter(([key]) => !inPath.includes(key)))
  return [{}, ...furtherQueries(operation)].map(further => {
    const parsed = parseInput(operation, { params, query: { ...query, ...further }, body: undefined })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
    return parsed.input
  })
}

/** A document that the service needs for one of its answers, and no statement. */
export const openApi = () => ({ openapi: '', info: { title: '', version: '' }, paths: {}, components: {} })

/** Makes a board by the service, and deletes it; settles when it is removed. */
export async function removeBoard(service: Service, caller: Caller): Promise<void> {
  const send = async (name: OperationName, input: Arguments) =>
    service.perform({ operation: byName(name), input: { params: {}, query: {}, body: undefined, ...input }, caller })
  const { body } = await send('create_board', { body: { name: 'Going', description: '' } })
  const { id: board_id } = body as { id: string }
  await send('delete_board', { params: { board_id } })
  await service.environment.removals.run()
}
