import type { DropColumn } from './drag.ts'

/** A column while a card is held over it, by a mouse or a finger. */
export interface DropTarget {
  readonly column: DropColumn
  enter(): void
  over(clientY: number): void
  leave(): void
}

/** The drop targets by element: touch handling has to look them up, whereas for a mouse the browser does so. */
const targets = new WeakMap<Element, DropTarget>()

/** Lets a finger drop cards on an element; returns a function that ends it. */
export function registerTouchTarget(element: Element, target: DropTarget): () => void {
  targets.set(element, target)
  return () => void targets.delete(element)
}

export const dropTargetOf = (element: Element): DropTarget | undefined => targets.get(element)
