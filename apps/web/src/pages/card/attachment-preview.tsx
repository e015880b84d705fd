import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

interface AttachmentPreviewProps {
  readonly id: string
  readonly onRead: () => Promise<Response>
}

/** A picture, read once it comes into view. */
export function AttachmentPreview({ id, onRead }: AttachmentPreviewProps) {
  const [element, setElement] = useState<HTMLImageElement | null>(null)
  const isSeen = useSeen(element)
  const { data: picture } = useQuery({
    queryKey: ['attachment', id],
    queryFn: async () => (await onRead()).blob(),
    enabled: isSeen,
    gcTime: 0,
  })
  useEffect(() => {
    if (picture === undefined || element === null) return
    const address = URL.createObjectURL(picture)
    element.src = address
    return () => URL.revokeObjectURL(address)
  }, [picture, element])
  return <img ref={setElement} alt="" />
}

/** Whether an element has come into view. */
function useSeen(element: Element | null): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (element === null || isSeen) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
