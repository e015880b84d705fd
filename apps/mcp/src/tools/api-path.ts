import type { AnyOperation, InputOf } from '@specboard/contract'

/** The API path of a call to an operation. */
export const requestPath = (operation: AnyOperation, params: Readonly<Record<string, unknown>>): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The API path of a call with its query, without default values. */
export function requestAddress(
  operation: AnyOperation,
  { params, query }: Pick<InputOf<AnyOperation>, 'params' | 'query'>,
): string {
  const path = requestPath(operation, params)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && operation.query[name]?.safeParse(undefined).data !== value)
      search.append(name, String(value))
  return search.size === 0 ? path : `${path}?${search}`
}
