import {
  type AuthInfo,
  createMcpHandler,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type Server,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { Service } from '@specboard/domain'
import { isObject } from '../calls/lean-value.ts'
import { canonicalUri } from '../resources/canonical-uri.ts'
import { isVisible } from '../resources/visible.ts'
import type { Broadcast, Listener } from './broadcast.ts'

type Message = JSONRPCRequest | JSONRPCNotification

/** A `subscriptions/listen` and who sends it. */
export interface ListenRequest {
  readonly request: Request
  readonly message: Message
  readonly authInfo: AuthInfo
  readonly listener: Listener
  readonly server: () => Server
}

/**
 * Serves `subscriptions/listen` (mcp 14.2). Each stream has its own handler of the library, so that it hears only what
 * its agent may see. The acknowledgement leaves out the resources that the agent cannot read.
 */
export async function subscriptionStream(
  { request, message, authInfo, listener, server }: ListenRequest,
  service: Service,
  broadcast: Broadcast,
): Promise<Response> {
  const { caller, boardId } = listener
  const visible = async (uri: string) => {
    const canonical = await canonicalUri(service, caller, uri, boardId)
    return (await isVisible(service, caller, canonical, boardId)) ? canonical : undefined
  }
  const { parsedBody, uris } = await withVisible(message, visible)
  let leave = () => {}
  let hear: ((event: ServerEvent) => void) | undefined
  const bus: ServerEventBus = {
    publish: event => hear?.(event),
    subscribe: hearing => {
      hear = hearing
      return () => {
        hear = undefined
        leave()
      }
    },
  }
  const handler = createMcpHandler(server, { legacy: 'reject', bus })
  const response = await handler.fetch(request, { parsedBody, authInfo })
  if (hear === undefined) return response
  const close = () => void handler.close()
  const remove = await broadcast.open({ ...listener, uris, send: notice => bus.publish(notice), close })
  if (hear === undefined) remove()
  leave = remove
  return response
}

/** The message, with its filter reduced to the canonical URIs of visible resources. */
async function withVisible(
  message: Message,
  visible: (uri: string) => Promise<string | undefined>,
): Promise<{ readonly parsedBody: object; readonly uris: ReadonlySet<string> }> {
  const filter = message.params?.notifications
  if (!isObject(filter) || !Array.isArray(filter.resourceSubscriptions)) return { parsedBody: message, uris: new Set() }
  const uris = new Set<string>()
  for (const uri of filter.resourceSubscriptions) {
    const canonical = typeof uri === 'string' ? await visible(uri) : undefined
    if (canonical !== undefined) uris.add(canonical)
  }
  const notifications = { ...filter, resourceSubscriptions: [...uris] }
  return { parsedBody: { ...message, params: { ...message.params, notifications } }, uris }
}
