import type { AnyOperation } from '@specboard/contract'

/** The path of the API that a call of an operation has. */
export const requestPath = (operation: AnyOperation, params: Readonly<Record<string, unknown>>): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
