/** The HTTP adapter: contract to routes, OpenAPI and docs pages. */
export { type AppOptions, HttpApp, type WebContext } from './app.ts'
export { checkHost, type HostRule } from './hosts.ts'
export { inProcess } from './in-process.ts'
export { openApiDocument } from './openapi/document.ts'
export { routeOf } from './openapi/route.ts'
export { internalError, type Refusal, refusalOf } from './refusals.ts'
export { listen, type RunningServer } from './server.ts'
