import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Caller } from '@specboard/domain'
import type { Context } from 'hono'

/** What the application's handlers and middleware find in their context. */
export interface HttpEnv {
  /** Node's own request and answer; `nodeOf` tells where there are none. */
  Bindings: HttpBindings
  Variables: {
    /** The caller's own id where it is well-formed. */
    requestId: string
    /** The agent of the key; absent where none is asked for. */
    caller: Caller | undefined
    /** The agent of the request for the log, once it is known. */
    agentId: string | undefined
    /** Whether the answer was made with the headers of every answer. */
    hasAnswerHeaders: boolean | undefined
  }
}

export type HttpContext = Context<HttpEnv>

/** Node's own request and answer; without them where the request was made in this process, by `app.request`. */
export const nodeOf = (c: HttpContext): Partial<HttpBindings> => c.env ?? {}

/** The HTTP application. */
export type HttpApp = OpenAPIHono<HttpEnv>

/** Writes a fault of our own to the log. */
export type Report = (fault: unknown, c: HttpContext) => void
