import { useEffect, useState } from 'react'

/** How long after the last letter the address is updated, ms: the browser takes longer for that than for filtering. */
const restMs = 150

/**
 * A search text in the address, as it is typed: filtering is immediate, the address follows.
 * @param words the text in the address
 * @param write updates the address
 */
export function useTypedWords(
  words: string,
  write: (words: string) => void,
): readonly [typed: string, type: (words: string) => void] {
  const [typed, setTyped] = useState(words)
  const [read, setRead] = useState(words)
  /** What was written to the address but has not been read from it yet. */
  const [pending, setPending] = useState<string>()
  if (words !== read) {
    setRead(words)
    // More may have been typed since it was written. Any other change is a link, a step back, or cleared filters.
    if (words === pending) setPending(undefined)
    else setTyped(words)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is written after what was typed last
  useEffect(() => {
    if (typed === words) return
    const timer = setTimeout(() => {
      setPending(typed)
      write(typed)
    }, restMs)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
