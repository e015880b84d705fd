import { serviceUrl } from '../base-path.ts'
import { messages } from '../messages/messages.ts'
import { IconButton } from './icon-button.tsx'
import { toast } from './toast.tsx'

interface CopyLinkProps {
  readonly reference: string
  /** Relative to the service's own address. */
  readonly address: string
}

/** Copies the address of a record, preceded by its reference. */
export function CopyLink({ reference, address }: CopyLinkProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(`${reference} ${serviceUrl}${address}`)
    toast(messages.shell.copied(reference))
  }
  return (
    <IconButton
      icon="link"
      label={messages.shell.copyLink}
      title={messages.shell.copyLink}
      onClick={() => void copy()}
    />
  )
}
