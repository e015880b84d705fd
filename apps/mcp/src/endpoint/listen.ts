import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type Server,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { Caller, Service } from '@specboard/domain'
import { isObject } from '../calls/lean-value.ts'
import { isVisible } from '../resources/visible.ts'
import type { View } from '../tools/view.ts'
import type { Broadcast } from './broadcast.ts'

/** Who listens, through which view. */
export interface Listener {
  readonly authInfo: AuthInfo
  readonly caller: Caller
  readonly key: string
  readonly view: View
}

/**
 * Serves `subscriptions/listen` (mcp 14.2): a handler of the library for this one stream, so that what it
 * hears is what its agent may see. The acknowledgement leaves out the resources that the agent cannot read.
 */
export async function subscriptionHandler(
  request: Request,
  body: object,
  { authInfo, caller, key, view }: Listener,
  service: Service,
  broadcast: Broadcast,
  server: () => Server,
): Promise<Response> {
  const { message, uris } = await withVisible(body, uri => isVisible(service, caller, uri, view.boardId))
  let leave = () => {}
  let handler: McpHttpHandler | undefined
  let hear: ((event: ServerEvent) => void) | undefined
  const bus: ServerEventBus = {
    publish: event => hear?.(event),
    subscribe: listener => {
      hear = listener
      return () => {
        hear = undefined
        leave()
      }
    },
  }
  handler = createMcpHandler(server, { legacy: 'reject', bus })
  const response = await handler.fetch(request, { parsedBody: message, authInfo })
  if (hear === undefined) return response
  leave = await broadcast.open(
    {
      key,
      agentId: caller.id,
      boardId: view.boardId,
      uris,
      send: notice => bus.publish(notice),
      close: () => void handler?.close(),
    },
    caller,
  )
  return response
}

/** The message with the resources that its filter names and that are visible. */
async function withVisible(
  body: object,
  visible: (uri: string) => Promise<boolean>,
): Promise<{ readonly message: object; readonly uris: ReadonlySet<string> }> {
  const params = 'params' in body && isObject(body.params) ? body.params : {}
  const filter = params.notifications
  if (!isObject(filter) || !Array.isArray(filter.resourceSubscriptions)) return { message: body, uris: new Set() }
  const uris = new Set<string>()
  for (const uri of filter.resourceSubscriptions) if (typeof uri === 'string' && (await visible(uri))) uris.add(uri)
  const notifications = { ...filter, resourceSubscriptions: [...uris] }
  return { message: { ...body, params: { ...params, notifications } }, uris }
}
