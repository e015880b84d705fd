import { type AnyOperation, registry } from '@specboard/contract'
import type { HttpApp, HttpContext } from './http-env.ts'
import { bodyLimit } from './middleware/body-limit.ts'

/**
 * Adds a route for every operation. When two match a request, the one added first handles it, so they are added in
 * the order of their paths: `{` sorts after all letters, so a literal segment comes before a parameter.
 */
export function addOperations(
  app: HttpApp,
  handlerOf: (operation: AnyOperation) => (c: HttpContext) => Promise<Response>,
): void {
  for (const operation of registry.toSorted(byPath)) {
    const { method, body } = operation
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    if (body !== undefined) app.on(method, path, bodyLimit)
    app.on(method, path, handlerOf(operation))
  }
}

function byPath(a: AnyOperation, b: AnyOperation): number {
  if (a.path === b.path) return 0
  return a.path < b.path ? -1 : 1
}
