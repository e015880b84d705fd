import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Caller } from '@specboard/domain'
import type { Context } from 'hono'

/** The context of the application's handlers and middleware. */
export interface HttpEnv {
  /** Node's own request and response. Read them with `nodeOf`, which handles their absence. */
  Bindings: HttpBindings
  Variables: {
    /** The caller's own request id if it is well-formed, otherwise a new one. */
    requestId: string
    /** The agent of the key; undefined on paths that need no key. */
    caller: Caller | undefined
    /** The origin of the request, unless it is HTTP. */
    origin: 'web' | undefined
    /** The address that the request came from, if trusted proxies report it. */
    address: string | undefined
    /** The path below which the service is reached; undefined at the root. */
    basePath: string | undefined
    /** The id of the agent for the log, once it is known. */
    agentId: string | undefined
    /** Whether the fault behind the answer is already in the log. */
    isReported: boolean | undefined
    /** Whether the answer already has the standard headers. */
    hasAnswerHeaders: boolean | undefined
  }
}

/** The context of one request. */
export type HttpContext = Context<HttpEnv>

/** Node's own request and response; both undefined if the request came from this process (`app.fetch`). */
export const nodeOf = (c: HttpContext): Partial<HttpBindings> => c.env ?? {}

/** The HTTP application (`createApp`). */
export type HttpApp = OpenAPIHono<HttpEnv>

/** Logs an unexpected error. */
export type Report = (fault: unknown, c: HttpContext) => void
