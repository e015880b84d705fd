/** The address of a saved view. */
interface SavedAddress {
  readonly id: string
  readonly page: string
  readonly query: string
}

/** The parameter in the address that names the shown view. */
export const viewName = 'view'

/** Parameters that a view does not store: the view itself, and what is open over the page. */
const aside = new Set([viewName, 'card'])

/** The part of an address that a view stores, always in the same order. */
export function storedQuery(query: URLSearchParams): string {
  const params = new URLSearchParams([...query].filter(([name]) => !aside.has(name)))
  params.sort()
  return params.toString()
}

/** Whether an address matches a view. */
export const shows = (query: URLSearchParams, view: { readonly query: string }): boolean =>
  storedQuery(query) === storedQuery(new URLSearchParams(view.query))

/** The address of a view. */
export function addressOfView(key: string, { id, page, query }: SavedAddress): string {
  const address = new URLSearchParams(query)
  address.set(viewName, id)
  return `/b/${key}/${page}?${address}`
}
