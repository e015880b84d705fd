import type { InPieces } from '@specboard/contract'

/** Elements processed in one step. */
const ofAPiece = 200

/** Processes each element, yielding to other work in between. */
export function* inPieces<Element>(elements: Iterable<Element>, act: (element: Element) => void): InPieces<void> {
  let done = 0
  for (const element of elements) {
    act(element)
    if (++done % ofAPiece === 0) yield
  }
}
