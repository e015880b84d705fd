import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { AttachmentPlace } from '../address.ts'
import { client } from '../data/client.ts'

const pictures = /^image\/(?:png|jpeg|gif|webp|avif)$/

/** Whether files of a type are shown as pictures. */
export const isPicture = (mimeType: string): boolean => pictures.test(mimeType)

/** The query of the bytes of an attachment, which are kept as long as they are shown. */
export const attachmentFile = (place: AttachmentPlace) =>
  queryOptions({
    queryKey: ['attachment', place.attachment_id],
    queryFn: async () => (await client.downloadAttachment(place)).blob(),
    gcTime: 0,
  })

interface AttachmentPictureProps {
  readonly place: AttachmentPlace
  /** A description of the picture; empty if its name is next to it. */
  readonly alt?: string
  /** Shown if there is no such picture. */
  readonly instead?: ReactNode
}

/** A picture that the service keeps, read once it comes into view. */
export function AttachmentPicture({ place, alt = '', instead = null }: AttachmentPictureProps) {
  const [element, setElement] = useState<HTMLImageElement | null>(null)
  const isSeen = useSeen(element)
  const { data: file, isError } = useQuery({ ...attachmentFile(place), enabled: isSeen })
  useEffect(() => {
    if (file === undefined || element === null) return
    const address = URL.createObjectURL(file)
    element.src = address
    return () => URL.revokeObjectURL(address)
  }, [file, element])
  if (isError || (file !== undefined && !isPicture(file.type))) return instead
  return <img ref={setElement} alt={alt} />
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
