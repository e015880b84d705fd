import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Caller } from '@specboard/domain'
import type { Context } from 'hono'

/** What handlers and middleware find in their context. */
export interface HttpEnv {
  /** Node's own request and response. Use `nodeOf`: a request made in this process has none. */
  Bindings: HttpBindings
  Variables: {
    /** The caller's own id if it is well-formed, else a new one. */
    requestId: string
    /** The agent that the key belongs to; absent on paths that need no key. */
    caller: Caller | undefined
    /** The id of the calling agent for the log, once it is known. */
    agentId: string | undefined
    /** Whether the answer already has the headers that every answer carries. */
    hasAnswerHeaders: boolean | undefined
  }
}

export type HttpContext = Context<HttpEnv>

/** Node's own request and response; both undefined when the request was made in this process with `app.request`. */
export const nodeOf = (c: HttpContext): Partial<HttpBindings> => c.env ?? {}

/** The HTTP application. */
export type HttpApp = OpenAPIHono<HttpEnv>

/** Logs a fault of the service itself. */
export type Report = (fault: unknown, c: HttpContext) => void
