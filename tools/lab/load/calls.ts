import { randomUUID } from 'node:crypto'
import { type Client, ClientError, createClient, requestOf } from '@specboard/client'
import { type AnyOperation, operationByName, pathNames, registry } from '@specboard/contract'
import { callTool } from './mcp-tool.ts'

/** A service under load, and the records that it is asked for. */
export interface LoadTarget {
  readonly url: string
  readonly key: string
  readonly records: Readonly<Record<string, string | number>>
}

/** A call that is repeated, over HTTP or MCP. */
export type Call = (door: 'http' | 'mcp') => Promise<unknown>

/** Every read of the contract that answers for these records. */
export async function readsOf(called: LoadTarget): Promise<ReadonlyMap<string, Call>> {
  const reads = new Map<string, Call>()
  for (const operation of registry) {
    if (operation.method !== 'GET' || operation.kind === 'events') continue
    const args = argumentsOf(operation, called.records)
    const call: Call = door =>
      door === 'http' ? send(called, operation, args) : callTool(called, operation.name, args)
    if (await answers(call)) reads.set(operation.name, call)
  }
  return reads
}

/** Whether there are enough records for a call, over HTTP and MCP. */
async function answers(call: Call): Promise<boolean> {
  try {
    await call('http')
    await call('mcp')
    return true
  } catch (error) {
    if (error instanceof ClientError) return false
    throw error
  }
}

/** Whether a read covers a whole board or its log, so that it costs more with every write to the board. */
export const readsWholeBoard = (name: string): boolean =>
  operationByName.get(name)?.reads === 'board' || name === 'export_board'

/** The arguments of a read, as far as there are records for them. */
function argumentsOf({ path, query }: AnyOperation, records: LoadTarget['records']): LoadTarget['records'] {
  const names = [...pathNames(path), ...Object.keys(query ?? {}).filter(name => /^(?:limit|topic|q)$/.test(name))]
  return Object.fromEntries(Object.entries(records).filter(([name]) => names.includes(name)))
}

async function send({ url, key }: LoadTarget, operation: AnyOperation, args: LoadTarget['records']): Promise<void> {
  const response = await fetch(url + requestOf(operation, args).path, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new ClientError(operation.name, response.status, undefined)
}

/**
 * Writes of one client, in turn: it creates, changes and deletes records, so that only the event log grows. All texts
 * differ, because a repeated create over MCP gets the first one's answer.
 */
export function writesOf(called: LoadTarget): Call {
  const client: Client = createClient(called)
  const board_id = String(called.records.board_id)
  const card_id = String(called.records.card_id)
  let ideation_id = ''
  let comment_id = ''
  const idOf = ({ id }: Readonly<Record<string, unknown>>) => String(id)
  const steps: readonly Call[] = [
    async door => {
      const args = { board_id, title: `Called ${randomUUID()}`, description: 'What for.' }
      ideation_id = idOf(
        door === 'http' ? await client.createIdeation(args) : await callTool(called, 'create_ideation', args),
      )
    },
    door => {
      const args = { ideation_id, description: 'What for, in other words.' }
      return door === 'http' ? client.updateIdeation(args) : callTool(called, 'update_ideation', args)
    },
    async door => {
      const args = { card_id, content: `Remark ${randomUUID()}` }
      comment_id = idOf(
        door === 'http' ? await client.createComment(args) : await callTool(called, 'create_comment', args),
      )
    },
    door =>
      door === 'http' ? client.deleteComment({ comment_id }) : callTool(called, 'delete_comment', { comment_id }),
    door =>
      door === 'http' ? client.deleteIdeation({ ideation_id }) : callTool(called, 'delete_ideation', { ideation_id }),
  ]
  let next = 0
  return door => steps[next++ % steps.length]!(door)
}
