import { useSearchParams } from 'wouter'

/** The filters of a page, which stand in its address, and how one of them is set; an empty one is left out. */
export function useAddressFilters(): readonly [URLSearchParams, (name: string, value: string) => void] {
  const [query, setQuery] = useSearchParams()
  const set = (name: string, value: string) =>
    setQuery(
      before => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return [query, set]
}
