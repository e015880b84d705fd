import { useSearchParams } from 'wouter'

/** The filters in the address of a page, and functions that set one or clear some; empty filters are left out. */
export function useAddressFilters(): readonly [
  query: URLSearchParams,
  set: (name: string, value: string) => void,
  clear: (names: readonly string[]) => void,
] {
  const [query, setQuery] = useSearchParams()
  const put = (names: readonly string[], value: string) =>
    setQuery(
      before => {
        const next = new URLSearchParams(before)
        for (const name of names)
          if (value === '') next.delete(name)
          else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return [query, (name, value) => put([name], value), names => put(names, '')]
}

/** The filters that have a value. */
export const chosenOf = <Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = query.get(name) ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  ) as Partial<Record<Name, string>>
