import { type AnyOperation, registry } from '@specboard/contract'
import type { HttpApp, HttpContext } from './http-env.ts'

/**
 * Adds a route for every operation. If two routes match a request, Hono runs the one that was added first. They are
 * therefore added in the order of their paths: `{` sorts after all letters, so fixed text comes before a parameter.
 */
export function addOperations(
  app: HttpApp,
  handlerOf: (operation: AnyOperation) => (c: HttpContext) => Promise<Response>,
): void {
  for (const operation of registry.toSorted(byPath)) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(operation.method, path, handlerOf(operation))
  }
}

function byPath(a: AnyOperation, b: AnyOperation): number {
  if (a.path === b.path) return 0
  return a.path < b.path ? -1 : 1
}
