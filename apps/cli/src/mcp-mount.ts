import { DomainError } from '@specboard/domain'
import {
  addressOf,
  answer,
  type HttpApp,
  type HttpContext,
  json,
  keyOf,
  type Limits,
  uploadedFile,
  withBody,
} from '@specboard/http'
import type { McpEndpoint } from '@specboard/mcp'

/** Whether a ticket was wrong: with a valid one the refusals are different. */
const isNotFound = (error: unknown): boolean => error instanceof DomainError && error.status === 404

/** Where files of upload tickets are sent. */
export const uploadPath = '/mcp/uploads'

/** Mounts the MCP endpoint on `/mcp`, behind the application's checks. Wrong keys and tickets are counted together. */
export function mountMcp(app: HttpApp, endpoint: () => Promise<McpEndpoint>, { wrongKeys, uploads }: Limits): void {
  const contextOf = (c: HttpContext) => ({
    requestId: c.get('requestId'),
    key: keyOf(c),
    withBody: <Value>(maxBytes: number, use: (bytes: Uint8Array) => Promise<Value>) => withBody(c, maxBytes, use),
    seen: (agentId: string) => c.set('agentId', agentId),
  })
  for (const path of ['/mcp', '/mcp/'])
    app.all(path, async c => {
      const response = await (await endpoint()).fetch(c.req.raw, contextOf(c))
      if (response.status === 401) await wrongKeys?.refused(addressOf(c))
      return response
    })
  app.post(uploadPath, async c => {
    const ticket = c.req.query('ticket') ?? ''
    let isKnown = false
    const readFile = () => {
      isKnown = true
      return uploadedFile(c)
    }
    const mcp = await endpoint()
    const uploading = mcp.upload(ticket, {
      readFile,
      receive: (caller, file, call) => uploads.run({ agentId: caller.id }, file, call),
      seen: caller => c.set('agentId', caller.id),
    })
    const { status, body } = await uploading.catch(async error => {
      if (!isKnown && isNotFound(error)) await wrongKeys?.refused(addressOf(c))
      throw error
    })
    return answer(c, status, { ...json, 'cache-control': 'no-store' }, JSON.stringify(body))
  })
}
