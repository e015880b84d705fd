import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { maskKeys } from '@specboard/contract'
import { type Backend, type CallOptions, UnknownName, UnknownResource } from '../backend.ts'
import type { PendingConfirmation } from '../calls/confirming.ts'
import { instructionsFor } from './instructions.ts'
import { risingProgress } from './progress.ts'
import { protocolVersions } from './protocol-versions.ts'
import { serverInfo } from './server-info.ts'

/** A hint that clients may cache an answer, for `ttlMs` milliseconds. */
const hint = (ttlMs: number) => ({ ttlMs, cacheScope: 'private' as const })

type Handle = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/** The library reports parameters that fail its schema as an internal error; they are the caller's fault. */
class ParameterCheckingServer extends Server {
  protected override _wrapHandler(method: string, handler: Handle): Handle {
    const handle = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        return await handle(request, context)
      } catch (error) {
        if (error instanceof ProtocolError || !(error instanceof Error)) throw error
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          maskKeys(`Invalid params of ${method}: ${error.message}`),
        )
      }
    }
  }
}

/** An MCP server for one exchange or connection; every answer comes from the backend. */
export function mcpServer(backend: Backend, era: 'modern' | 'legacy', version: string): Server {
  const server = new ParameterCheckingServer(serverInfo(version), {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
      ...(era === 'legacy' && { logging: {} }),
    },
    instructions: instructionsFor(backend.view),
    supportedProtocolVersions: [...protocolVersions.modern, ...protocolVersions.legacy],
    cacheHints: {
      'tools/list': hint(300_000),
      'prompts/list': hint(300_000),
      'server/discover': hint(300_000),
      'resources/list': hint(60_000),
      'resources/templates/list': hint(60_000),
    },
  })
  server.setRequestHandler('tools/list', ({ params }) => {
    refuseCursor(params)
    // The SDK's types demand mutable lists and schemas with any key; it only serialises them.
    return { tools: backend.tools() as never }
  })
  server.setRequestHandler('tools/call', ({ params }, context) =>
    answered(backend.callTool(params.name, params.arguments ?? {}, callOptions(context, era))),
  )
  server.setRequestHandler('resources/list', async ({ params }) => {
    refuseCursor(params)
    return { resources: [...(await answered(backend.resources()))] }
  })
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    refuseCursor(params)
    return { resourceTemplates: [...backend.templates()] }
  })
  server.setRequestHandler('resources/read', ({ params }) => answered(backend.readResource(params.uri)))
  server.setRequestHandler('prompts/list', ({ params }) => {
    refuseCursor(params)
    return { prompts: [...backend.prompts()] }
  })
  server.setRequestHandler('prompts/get', ({ params }) =>
    answered(backend.getPrompt(params.name, params.arguments ?? {})),
  )
  server.setRequestHandler('completion/complete', async ({ params }) => ({
    completion: await answered(backend.complete(params)),
  }))
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', async ({ params }) => {
      await answered(backend.subscribe(params.uri))
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
      await answered(backend.unsubscribe(params.uri))
      return {}
    })
  }
  return server
}

/** Lists are never paged, so no cursor is valid. */
function refuseCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor: lists are not paged.')
}

/** Awaits an answer; an unknown name or resource becomes a protocol error, any other fault is not explained. */
async function answered<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof UnknownResource)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { uri: error.uri })
    if (error instanceof UnknownName) throw new ProtocolError(ProtocolErrorCode.InvalidParams, maskKeys(error.message))
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The service failed; nothing was changed.')
  }
}

function callOptions({ mcpReq }: ServerContext, era: 'modern' | 'legacy'): CallOptions {
  const progressToken = mcpReq._meta?.progressToken
  const progress = risingProgress((done, total) => {
    if (progressToken === undefined) return
    const params = { progressToken, progress: done, ...(total !== undefined && { total }) }
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  })
  return {
    abort: mcpReq.signal,
    progress,
    notify: mcpReq.notify,
    asking: era === 'modern' ? askingOf(mcpReq) : undefined,
  }
}

/** How the client of a request asks its user; undefined if it does not claim to support forms. */
function askingOf({
  envelope,
  inputResponses,
  requestState,
}: ServerContext['mcpReq']): PendingConfirmation | undefined {
  // The library types the keys of the envelope only as strings.
  const { elicitation } =
    (envelope as Partial<Record<string, ClientCapabilities>>)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
  if (elicitation === undefined || (elicitation.form === undefined && elicitation.url !== undefined)) return undefined
  return { state: requestState(), responses: inputResponses }
}
