import { useEffect, useState } from 'react'

/** How long after the last letter the address says what is filtered by, ms: to write it takes the browser longer than to filter. */
const restMs = 150

/**
 * Words that stand in the address, as they are typed: what they filter answers at once, the address follows.
 * @param words what the address says
 * @param write brings the address after them
 */
export function useTypedWords(
  words: string,
  write: (words: string) => void,
): readonly [typed: string, type: (words: string) => void] {
  const [typed, setTyped] = useState(words)
  const [read, setRead] = useState(words)
  /** What was written and has not been read yet. */
  const [written, setWritten] = useState<string>()
  if (words !== read) {
    setRead(words)
    // More may have been typed since it was written. Anything else is a link, a step back, filters that are cleared.
    if (words === written) setWritten(undefined)
    else setTyped(words)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is written after what was typed last
  useEffect(() => {
    if (typed === words) return
    const timer = setTimeout(() => {
      setWritten(typed)
      write(typed)
    }, restMs)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
