import { type DragEvent, useState } from 'react'

interface DropZone {
  readonly isOver: boolean
  readonly zone: {
    onDragOver(event: DragEvent): void
    onDragLeave(event: DragEvent): void
    onDrop(event: DragEvent): void
  }
}

/** Lets files be dropped on an element, unless it is closed. */
export function useDropZone(onDrop: (dropped: DataTransfer) => void, isClosed: () => boolean): DropZone {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    zone: {
      onDragOver(event) {
        if (isClosed() || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event) {
        event.preventDefault()
        setOver(false)
        if (!isClosed()) onDrop(event.dataTransfer)
      },
    },
  }
}
