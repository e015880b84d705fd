import { serviceUrl } from '../base-path.ts'
import { messages } from '../messages/messages.ts'
import { IconButton } from './icon-button.tsx'
import { toast } from './toast.tsx'

interface CopyLinkProps {
  readonly reference: string
  /** Relative to the base address of the service. */
  readonly address: string
}

/** Copies the address of a record, preceded by its reference, and says so. */
export async function copyLink({ reference, address }: CopyLinkProps): Promise<void> {
  await navigator.clipboard.writeText(`${reference} ${serviceUrl}${address}`)
  toast(messages.shell.copied(reference))
}

/** A button that copies the address of a record. */
export function CopyLink(link: CopyLinkProps) {
  return (
    <IconButton
      icon="link"
      label={messages.shell.copyLink}
      title={messages.shell.copyLink}
      onClick={() => void copyLink(link)}
    />
  )
}
