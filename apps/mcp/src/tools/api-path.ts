import type { AnyOperation } from '@specboard/contract'

/** The API path of a call to an operation. */
export const requestPath = (operation: AnyOperation, params: Readonly<Record<string, unknown>>): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
