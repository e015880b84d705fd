import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { AttachmentPicture, isPicture } from '../../components/attachment-picture.tsx'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Removal } from '../../components/removal.tsx'
import { Section } from '../../components/section.tsx'
import { sizeOf } from '../../components/size.ts'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { saveFile } from '../../data/save-file.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

/** The files of a card, pictures with a preview. */
export function Attachments({ card }: { readonly card: Card }) {
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const uploading = useMutation({
    mutationFn: (file: File) => client.uploadAttachment({ board_id: card.board_id, card_id: card.id, file }),
    onSuccess: () => refreshCard(queries, card),
  })
  const adding = (
    <>
      <Button className="button quiet add-one" needs={['ATTACHMENTS_CREATE']} onClick={() => input.current?.click()}>
        <Icon name="plus" size={14} /> {texts.attach}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.attach}
        onChange={event => {
          const file = event.target.files?.[0]
          if (file !== undefined) uploading.mutate(file)
          event.target.value = ''
        }}
      />
      <Failure error={uploading.error} />
    </>
  )
  if (card.attachments.length === 0) return adding
  return (
    <Section title={texts.attachments} count={card.attachments.length}>
      <ul className="plain attachments">
        {card.attachments.map(({ id: attachmentId, original_filename, mime_type, size }) => {
          const place = { board_id: card.board_id, card_id: card.id, attachment_id: attachmentId }
          return (
            <li key={attachmentId} className="attachment">
              <ActionButton
                className="attachment-file"
                title={original_filename}
                onAct={async () => saveFile(await client.downloadAttachment(place), original_filename)}
              >
                {isPicture(mime_type) ? <AttachmentPicture place={place} /> : <Icon name="file" size={20} />}
                <span className="truncate">{original_filename}</span>
                <span className="muted numbers">{sizeOf(size)}</span>
              </ActionButton>
              <Removal
                label={texts.removeAttachment(original_filename)}
                lead={texts.removeAttachmentLead}
                needs={['ATTACHMENTS_DELETE']}
                onConfirm={async () => {
                  await client.deleteAttachment(place)
                  await refreshCard(queries, card)
                }}
              />
            </li>
          )
        })}
      </ul>
      {adding}
    </Section>
  )
}
