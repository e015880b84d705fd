/** What an address of a view is made of. */
interface SavedAddress {
  readonly id: string
  readonly page: string
  readonly query: string
}

/** The name in the address by which a page knows the view that it shows. */
export const viewName = 'view'

/** What of an address is no part of a view: the view itself, and what is open over the page. */
const aside = new Set([viewName, 'card'])

/** What a view keeps of an address, always in the same order. */
export function keptOf(query: URLSearchParams): string {
  const kept = new URLSearchParams([...query].filter(([name]) => !aside.has(name)))
  kept.sort()
  return kept.toString()
}

/** Whether an address shows what a view says. */
export const shows = (query: URLSearchParams, view: { readonly query: string }): boolean =>
  keptOf(query) === keptOf(new URLSearchParams(view.query))

/** The address of a view. */
export function addressOfView(key: string, { id, page, query }: SavedAddress): string {
  const address = new URLSearchParams(query)
  address.set(viewName, id)
  return `/b/${key}/${page}?${address}`
}
