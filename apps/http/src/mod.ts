/** The HTTP adapter: contract to routes, OpenAPI and docs pages. */
export { answer, json } from './answers.ts'
export { type AppOptions, createApp } from './app.ts'
export type { HttpApp, HttpContext, HttpEnv } from './http-env.ts'
export type { HostRule } from './middleware/host-and-origin.ts'
export { keyOf } from './middleware/key.ts'
export { openApiDocument } from './openapi/document.ts'
export { listen, type RunningServer } from './server.ts'
export { uploadedFile } from './upload.ts'
