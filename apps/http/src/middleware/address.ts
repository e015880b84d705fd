import { type HttpContext, nodeOf } from '../http-env.ts'

/** The address that a request came from; empty for one that was made in this process. */
export const addressOf = (c: HttpContext): string => nodeOf(c).incoming?.socket.remoteAddress ?? ''
