/** The HTTP adapter: contract to routes, OpenAPI and docs pages. */
export { type AppOptions, type HttpApp, httpApp } from './app.ts'
export type { Exchange } from './exchange.ts'
export { checkHost, type HostRule } from './hosts.ts'
export { inProcess } from './in-process.ts'
export { openApiDocument } from './openapi.ts'
export { internalError, type Refusal, refusalOf } from './refusals.ts'
export { listen, type RunningServer } from './server.ts'
