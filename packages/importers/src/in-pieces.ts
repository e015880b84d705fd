import type { InPieces } from '@specboard/contract'

/** Elements taken in one piece of work. */
const ofAPiece = 200

/** Does something with each element, with turns for other work between. */
export function* inPieces<Element>(elements: Iterable<Element>, act: (element: Element) => void): InPieces<void> {
  let done = 0
  for (const element of elements) {
    act(element)
    if (++done % ofAPiece === 0) yield
  }
}
