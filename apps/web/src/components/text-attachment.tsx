import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { attachmentAt } from '../address.ts'
import { client } from '../data/client.ts'
import { saveFile } from '../data/save-file.ts'
import { messages } from '../messages/messages.ts'
import { AttachmentPicture, attachmentFile, isPicture } from './attachment-picture.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './refusal.tsx'

/**
 * Replaces the behaviour of a link in a text to an attachment: a picture is drawn inside it and opens at full size, any
 * other file is saved. If the browser followed the link itself it would be refused, because it sends only half of the
 * session (walls 8).
 */
export function TextAttachment({ link }: { readonly link: HTMLAnchorElement }) {
  const queries = useQueryClient()
  const [isLarge, setLarge] = useState(false)
  const place = attachmentAt(link.getAttribute('href') ?? '')
  const { mutate: save, error } = useMutation({
    mutationFn: async () => place && saveFile(await client.downloadAttachment(place)),
  })
  useEffect(() => {
    const onPress = (event: Event) => {
      event.preventDefault()
      const file = place && queries.getQueryData(attachmentFile(place).queryKey)
      if (link.ariaLabel !== null && file !== undefined && isPicture(file.type)) setLarge(true)
      else save()
    }
    link.addEventListener('click', onPress)
    link.addEventListener('auxclick', onPress)
    return () => {
      link.removeEventListener('click', onPress)
      link.removeEventListener('auxclick', onPress)
    }
  }, [link, place, queries, save])
  if (place === undefined) return null
  const name = link.ariaLabel
  return (
    <>
      {name !== null && createPortal(<AttachmentPicture place={place} instead={name} />, link)}
      <Failure error={error} />
      {name !== null && isLarge && (
        <Dialog kind="wide" title={name} onClose={() => setLarge(false)}>
          <div className="large-picture">
            <AttachmentPicture place={place} alt={name} />
          </div>
          <div className="row">
            <button type="button" className="button" onClick={() => save()}>
              {messages.writing.saveFile}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
